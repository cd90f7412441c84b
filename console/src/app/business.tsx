/** The business that everything on the screens is about, and the zone that its times are told in. */
import { createContext, type ReactNode, use, useDeferredValue } from 'react';
import type { Answer } from '../api/call.ts';
import { useApi } from '../api/hooks.ts';
import { Loading } from '../parts/loading.tsx';
import { QueryState } from '../parts/query-state.tsx';
import { useLast } from '../parts/use-last.ts';

export type Business = Answer<'getBusiness'>;

/** `undefined`: there is none yet, as in test mode before the first test key. */
const BusinessContext = createContext<Business | undefined>(undefined);

/** One tree, whether there is one or not: what a screen shows stays when the first test key makes the sandbox. */
export function WithBusiness({ children }: { readonly children: ReactNode }) {
  const business = useApi('getBusiness', undefined);
  const isMissing = business.error?.code === 'not_found';
  // While it is asked again, an error is forgotten: whoever reads the screen must not notice.
  const isKnown = useLast(business.data || isMissing ? true : undefined);
  // The screen is drawn in slices, between which the browser answers.
  const isShown = useDeferredValue(isKnown);
  if (!isShown) return isMissing ? <Loading /> : <QueryState query={business}>{() => <Loading />}</QueryState>;
  return <BusinessContext value={business.data}>{children}</BusinessContext>;
}

export function useBusiness(): Business | undefined {
  return use(BusinessContext);
}

/** The zone that times are told in: of the business, or UTC while there is none. */
export function useTimeZone(): string {
  return useBusiness()?.timeZone ?? 'UTC';
}
