import { expect, test, vi } from 'vitest';
import { setRuntime } from '../../core/clock.ts';
import { log } from '../../core/log.ts';
import { emit } from '../../core/metrics.ts';

test('A metric line has its numbers at the top and describes the unit of each', () => {
  const info = vi.spyOn(log, 'info').mockReturnValue();
  setRuntime({ now: () => 1_790_000_000_000 });
  emit({ Count: { AttemptsFailed: 2 }, Milliseconds: { EventToFirstAttempt: [12, 34] } }, { webhookId: 7 });
  setRuntime();
  expect(info).toHaveBeenCalledExactlyOnceWith('Metrics', {
    webhookId: 7,
    AttemptsFailed: 2,
    EventToFirstAttempt: [12, 34],
    _aws: {
      Timestamp: 1_790_000_000_000,
      CloudWatchMetrics: [
        {
          Namespace: 'test',
          Dimensions: [[]],
          Metrics: [
            { Name: 'AttemptsFailed', Unit: 'Count' },
            { Name: 'EventToFirstAttempt', Unit: 'Milliseconds' },
          ],
        },
      ],
    },
  });
});

test('A metric is logged in the form that CloudWatch expects', () => {
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

test('A metric line without any measurement contains its properties only', () => {
  const info = vi.spyOn(log, 'info').mockReturnValue();
  emit({}, { webhookId: 7 });
  expect(info.mock.lastCall).toEqual(['Metrics', { webhookId: 7 }]);
});
