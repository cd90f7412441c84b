import { sweepDeliveries } from '../../core/deliveries/log/sweep.ts';
import { logged } from '../../core/log.ts';
import { announceExpiry } from '../../core/notices/announce-expiry.ts';

export const handler = logged(async (schedule: unknown, context) =>
  announceExpiry().finally(() => sweepDeliveries(schedule, context)),
);
