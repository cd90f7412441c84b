import { parseEventMessage } from '../../core/deliveries/plan/event-refs.ts';
import { plan } from '../../core/deliveries/plan/plan.ts';
import { consumer } from '../../core/queue/consumer.ts';

export const handler = consumer(parseEventMessage, plan);
