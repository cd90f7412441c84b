/** From a row of the route table and a verb of the domain to a Lambda handler. */
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { InputOf, OutputOf, Route } from '../../contract/define.ts';
import type { ApiKey } from '../keys/api-key.ts';
import type { Reply } from './reply.ts';

/** What a handler may read of the request beyond its parsed parts. */
export interface HttpRequest {
  readonly id: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export interface Call<R extends Route> {
  readonly key: ApiKey;
  readonly params: InputOf<R, 'params'>;
  readonly query: InputOf<R, 'query'>;
  readonly body: InputOf<R, 'body'>;
  readonly request: HttpRequest;
}

type Answer<R extends Route> = OutputOf<R> | Reply<OutputOf<R>>;
/** A row without `output` may be served by a verb that returns nothing. */
type Served<R extends Route> = Answer<R> | ([OutputOf<R>] extends [undefined] ? void : never);

export type LambdaHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

export function endpoint<const R extends Route>(
  _route: R,
): { handler(verb: (call: Call<R>) => Served<R> | Promise<Served<R>>): LambdaHandler } {
  return {
    handler() {
      throw new Error('skeleton');
    },
  };
}
