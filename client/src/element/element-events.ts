/** The events of `<booking-slots>`, so that a page gets the type of each event's detail. */
import type { CreateHoldInput } from '../generated/operations.ts';
import type { Business, ChangedBooking } from '../generated/types.ts';

interface Events {
  readonly business: CustomEvent<Business>;
  readonly held: CustomEvent<CreateHoldInput & { readonly holdId: string }>;
  readonly booked: CustomEvent<ChangedBooking>;
  readonly moved: CustomEvent<ChangedBooking>;
  readonly cancelled: CustomEvent<ChangedBooking>;
  readonly failed: CustomEvent<{ readonly code: string }>;
}

export interface EventSource {
  addEventListener<K extends keyof Events>(
    type: K,
    listener: (event: Events[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
}
