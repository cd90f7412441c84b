import { erase } from '../../core/erasure/erase.ts';
import { parseErasure } from '../../core/erasure/message.ts';
import { consumer } from '../../core/queue/consumer.ts';

export const handler = consumer(parseErasure, erase);
