import { parseNoticeMessage } from '../../core/notices/message.ts';
import { notify } from '../../core/notices/notify.ts';
import { consumer } from '../../core/queue/consumer.ts';

export const handler = consumer(parseNoticeMessage, (messages) => notify(messages));
