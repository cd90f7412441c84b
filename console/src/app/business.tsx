/** The business of the signed-in owner, and the time zone of its times. */
import { createContext, type ReactNode, use, useDeferredValue } from 'react';
import type { Answer } from '../api/call.ts';
import { useApi } from '../api/hooks.ts';
import { Loading } from '../components/loading.tsx';
import { QueryState } from '../components/query-state.tsx';
import { usePreviousDefined } from '../components/use-previous-defined.ts';

export type Business = Answer<'getBusiness'>;

/** `undefined` if there is no business yet, or no sandbox before the first test key. */
const BusinessContext = createContext<Business | undefined>(undefined);

/** One tree with and without a business: a screen keeps its state when the first test key creates the sandbox. */
export function WithBusiness({ children }: { readonly children: ReactNode }) {
  const business = useApi('getBusiness', undefined);
  const isMissing = business.error?.code === 'not_found';
  // A refetch clears the error for a moment. The screen must not disappear.
  const isKnown = usePreviousDefined(business.data || isMissing ? true : undefined);
  // Deferred, so that the browser stays responsive while the screen renders.
  const isShown = useDeferredValue(isKnown);
  if (!isShown) return isMissing ? <Loading /> : <QueryState query={business}>{() => <Loading />}</QueryState>;
  return <BusinessContext value={business.data}>{children}</BusinessContext>;
}

export function useBusiness(): Business | undefined {
  return use(BusinessContext);
}

export function useTimeZone(): string {
  return useBusiness()?.timeZone ?? 'UTC';
}
