/**
 * Stands in every bundle for the cache of `@aws-sdk/endpoint-cache`. The DynamoDB client builds one, and no command of
 * it asks it anything: endpoint discovery is what Timestream needs. So it is a class without methods.
 */
export class EndpointCache {}
