import { parseEventMessage, plan } from '../../core/deliveries/plan.ts';
import { consumer } from '../../core/queue/consumer.ts';

export const handler = consumer(parseEventMessage, plan);
