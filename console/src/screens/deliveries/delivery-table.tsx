/** Deliveries as rows, each with its newest attempt. */
import { Anchor, Paper, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useAgo, useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { type Attempt, answerOf, Outcome } from './outcome.tsx';

const texts = strings.deliveries;

export interface DeliveryTableProps {
  /** The newest first. */
  readonly attempts: readonly (Attempt & { readonly webhookId: number })[];
  /** Where each webhook sends to. Without: no column of webhooks. */
  readonly targets?: ReadonlyMap<number, string>;
}

export function DeliveryTable({ attempts, targets }: DeliveryTableProps) {
  const { exact } = useTimes();
  const ago = useAgo();
  const newest = attempts.filter(
    ({ deliveryId }, at) => attempts.findIndex((other) => other.deliveryId === deliveryId) === at,
  );
  return (
    <Paper p={0} style={{ overflow: 'hidden' }}>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.columns.event}</Table.Th>
            {targets && <Table.Th visibleFrom="md">{texts.columns.webhook}</Table.Th>}
            <Table.Th visibleFrom="sm">{texts.columns.answer}</Table.Th>
            <Table.Th>{texts.columns.status}</Table.Th>
            <Table.Th visibleFrom="sm">{texts.columns.when}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {newest.map((attempt) => (
            <Table.Tr key={`${attempt.webhookId}-${attempt.id}`} className="row-link-row">
              <Table.Td>
                <Anchor
                  className="row-link"
                  size="sm"
                  fw={600}
                  style={{ overflowWrap: 'anywhere' }}
                  renderRoot={(props) => (
                    <Link
                      to="/deliveries"
                      search={(old) => ({
                        ...(targets ? old : { webhookId: attempt.webhookId }),
                        delivery: attempt.deliveryId,
                      })}
                      resetScroll={false}
                      {...props}
                    />
                  )}
                >
                  <EventName name={attempt.event} />
                </Anchor>
                <Text size="xs" c="dimmed">
                  {texts.attempt(attempt.attemptNumber)}
                  <Text span inherit hiddenFrom="sm">{` · ${ago(attempt.createdAt)}`}</Text>
                </Text>
              </Table.Td>
              {targets && (
                <Table.Td visibleFrom="md" maw={240}>
                  <Target url={targets.get(attempt.webhookId)} id={attempt.webhookId} />
                </Table.Td>
              )}
              <Table.Td visibleFrom="sm">{answerOf(attempt)}</Table.Td>
              <Table.Td>
                <Outcome status={attempt.deliveryStatus} nextAttemptAt={attempt.nextAttemptAt} />
              </Table.Td>
              <Table.Td visibleFrom="sm" style={{ whiteSpace: 'nowrap' }}>
                {exact(attempt.createdAt)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

/** Breaks after the dot where it is too long for a phone. */
function EventName({ name }: { readonly name: string }) {
  const [group, action] = name.split('.');
  return (
    <>
      {group}
      {action && (
        <>
          .<wbr />
          {action}
        </>
      )}
    </>
  );
}

/** Host and path on separate lines, since addresses often differ in their path alone. Unknown addresses show the id. */
function Target({ url, id }: { readonly url: string | undefined; readonly id: number }) {
  if (url === undefined) return <Text size="sm">{id}</Text>;
  const { host, pathname, search } = new URL(url);
  return (
    <>
      <Text size="sm" truncate>
        {host}
      </Text>
      <Text size="xs" c="dimmed" truncate>
        {pathname === '/' ? search : pathname + search}
      </Text>
    </>
  );
}
