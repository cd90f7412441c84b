/** The OpenAPI bodies that the gateway imports. */
import SwaggerParser from '@apidevtools/swagger-parser';
import { expect, test } from 'vitest';
import { inside, synthesised } from '../support/synthesised.ts';

test('Each API imports a valid OpenAPI document into API Gateway', async () => {
  const bodies = (await synthesised()).ofType('AWS::ApiGatewayV2::Api').map((api) => inside<object>(api, 'Body'));
  expect(bodies).toHaveLength(2);
  for (const body of bodies) {
    await expect(SwaggerParser.validate(structuredClone(body) as never)).resolves.toBeDefined();
  }
});
