import { deliver } from '../../core/deliveries/deliver.ts';
import { parseDeliveryMessage } from '../../core/deliveries/messages.ts';
import { consumer } from '../../core/queue/consumer.ts';

export const handler = consumer(parseDeliveryMessage, deliver);
