import { sweepDeliveries } from '../../core/deliveries/log/sweep.ts';

export const handler = sweepDeliveries;
