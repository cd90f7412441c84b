/** The context of a deployment in a standby region. */
export const passiveContext = {
  passive: 'true',
  recordsTable: 'booking-prod-data-StoresRecords',
  recordsStream: '2026-11-21T12:00:00.000',
  deliveriesTable: 'booking-prod-data-StoresDeliveries',
  keysTable: 'booking-prod-data-StoresKeys',
  secretsTable: 'booking-prod-data-StoresSecrets',
  secretsKey: 'arn:aws:kms:eu-west-1:123456789012:key/1',
};
