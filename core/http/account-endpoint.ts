/** Its former file, until every handler imports the other. */
export { accountEndpoint } from './endpoint.ts';
