/** The functions know their tables from their environment; a command finds them by the names that the stack gave them. */
import { DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';

const logicalNames = { keys: 'StoresKeys', records: 'StoresRecords' } as const;

/** Names the tables of a stage in the environment, unless it names them already. */
export async function findTables(stage: string, stores: readonly (keyof typeof logicalNames)[]): Promise<void> {
  const wanted = stores.map((store) => ({
    variable: `TABLE_${store.toUpperCase()}`,
    prefix: `booking-${stage}-data-${logicalNames[store]}`,
  }));
  const missing = wanted.filter(({ variable }) => !process.env[variable]);
  if (missing.length === 0) return;
  const names = await tablesInAccount();
  for (const { variable, prefix } of missing) {
    const [found, ...more] = names.filter((name) => name.startsWith(prefix));
    if (found === undefined || more.length > 0) {
      const many = found === undefined ? 'no table' : 'more than one table';
      throw new Error(`There is ${many} ${prefix}… in this account and region: give its name as ${variable}.`);
    }
    process.env[variable] = found;
  }
}

async function tablesInAccount(): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    const client = new DynamoDBClient({});
    for await (const page of paginateListTables({ client }, {})) names.push(...(page.TableNames ?? []));
  } catch (error) {
    // No region, no credentials, or expired ones: what the SDK says of each does not say what to set.
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`The tables of the account cannot be listed: ${why}. Are AWS_REGION and AWS_PROFILE set?`, {
      cause: error,
    });
  }
  return names;
}
