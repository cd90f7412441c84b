import { sweepDeliveries } from '../../core/deliveries/sweep.ts';

export const handler = sweepDeliveries;
