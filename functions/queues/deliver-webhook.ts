import { deliver } from '../../core/deliveries/attempt/deliver.ts';
import { parseDeliveryMessage } from '../../core/deliveries/attempt/messages.ts';
import { consumer } from '../../core/queue/consumer.ts';

export const handler = consumer(parseDeliveryMessage, deliver);
