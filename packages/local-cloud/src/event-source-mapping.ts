/** The properties of event source mappings, for queues and streams. */
import * as z from 'zod/mini';
import { flag, ignored, type Kind, number } from './kind.ts';

export const eventSourceMapping = {
  type: 'AWS::Lambda::EventSourceMapping',
  attribute: (attribute, name) => ({ Id: name, EventSourceMappingArn: name })[attribute],
  properties: z.strictObject({
    EventSourceArn: z.string(),
    FunctionName: z.string(),
    BatchSize: z.optional(number),
    BisectBatchOnFunctionError: z.optional(flag),
    DestinationConfig: z.optional(z.strictObject({ OnFailure: z.strictObject({ Destination: z.string() }) })),
    Enabled: z.optional(flag),
    FilterCriteria: z.optional(z.strictObject({ Filters: z.array(z.strictObject({ Pattern: z.string() })) })),
    FunctionResponseTypes: z.optional(z.array(z.literal('ReportBatchItemFailures'))),
    MaximumBatchingWindowInSeconds: z.optional(number),
    MaximumRecordAgeInSeconds: z.optional(z.union([number, z.literal(-1)])),
    MaximumRetryAttempts: z.optional(z.union([number, z.literal(-1)])),
    ScalingConfig: z.optional(z.strictObject({ MaximumConcurrency: number })),
    StartingPosition: z.optional(z.enum(['TRIM_HORIZON', 'LATEST'])),
    LoggingConfig: ignored,
    MetricsConfig: ignored,
    ParallelizationFactor: ignored,
    Tags: ignored,
  }),
} satisfies Kind;

export const eventSourceKinds: readonly Kind[] = [eventSourceMapping];

export type EventSourceMapping = z.infer<typeof eventSourceMapping.properties> & { readonly name: string };
