import { expect, test, vi } from 'vitest';
import { log } from '../../core/log.ts';
import { emit } from '../../core/metrics.ts';

test('A metric is logged in the format that CloudWatch expects', () => {
  const said: string[] = [];
  const level = log.getLevelName();
  log.setLogLevel('INFO');
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  emit({ Count: { DeliveriesOverdue: 0 } });
  log.setLogLevel(level);
  expect(said).toHaveLength(1);
  const [line = ''] = said;
  expect(line).toMatch(/^\{.*\}\n$/);
  expect(JSON.parse(line)).toMatchObject({
    DeliveriesOverdue: 0,
    _aws: { CloudWatchMetrics: [{ Metrics: [{ Name: 'DeliveriesOverdue', Unit: 'Count' }] }] },
  });
});
