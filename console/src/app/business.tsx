/** The business that everything on the screens is about, and the zone that its times are told in. */
import { createContext, type ReactNode, use } from 'react';
import type { Answer } from '../api/call.ts';
import { useApi } from '../api/hooks.ts';
import { Loading } from '../parts/loading.tsx';
import { QueryState } from '../parts/query-state.tsx';

export type Business = Answer<'getBusiness'>;

/** `undefined`: there is none yet, as in test mode before the first test key. */
const BusinessContext = createContext<Business | undefined>(undefined);

export function WithBusiness({ children }: { readonly children: ReactNode }) {
  const business = useApi('getBusiness', undefined);
  const isMissing = business.error?.code === 'not_found';
  if (isMissing) return <BusinessContext value={undefined}>{children}</BusinessContext>;
  return (
    <QueryState query={business} loading={<Loading />}>
      {(found) => <BusinessContext value={found}>{children}</BusinessContext>}
    </QueryState>
  );
}

export function useBusiness(): Business | undefined {
  return use(BusinessContext);
}

/** The zone that times are told in: of the business, or UTC while there is none. */
export function useTimeZone(): string {
  return useBusiness()?.timeZone ?? 'UTC';
}
