import { deliver } from '../../core/deliveries/attempt/deliver.ts';
import { parseDeliveryBatch } from '../../core/deliveries/model/batch.ts';
import { consumer } from '../../core/queue/consumer.ts';

export const handler = consumer(parseDeliveryBatch, deliver);
