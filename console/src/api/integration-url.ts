/** The address of the integration API, for commands that users copy from the console. */
import { useQuery } from '@tanstack/react-query';
import { readConfig } from '../session/config.ts';

/** `https://api.example.com/v1/integration`. Undefined until it is known. */
export function useIntegrationUrl(): string | undefined {
  const { data } = useQuery({ queryKey: ['config'], queryFn: readConfig, staleTime: Number.POSITIVE_INFINITY });
  return data?.integrationUrl && new URL(data.integrationUrl, location.origin).href;
}
