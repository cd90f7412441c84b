import { parseEventMessage, plan } from '../../core/deliveries/plan/plan.ts';
import { consumer } from '../../core/queue/consumer.ts';

export const handler = consumer(parseEventMessage, plan);
