import { sweepDeliveries } from '../../core/deliveries/log/sweep.ts';
import { logged } from '../../core/log.ts';

export const handler = logged(sweepDeliveries);
