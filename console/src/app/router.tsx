/** The routes. Each screen is a chunk of its own, and parses its own search parameters. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { apiKeysSearch } from '../screens/api-keys/search.ts';
import { bookingsSearch } from '../screens/bookings/search.ts';
import { calendarSearch } from '../screens/calendar/search.ts';
import { clientSearch, clientsSearch } from '../screens/clients/search.ts';
import { deliveriesSearch } from '../screens/deliveries/search.ts';
import { eventsSearch } from '../screens/events/search.ts';
import { OverviewScreen } from '../screens/overview/overview-screen.tsx';
import { paymentsSearch } from '../screens/payments/search.ts';
import { requestsSearch } from '../screens/requests/search.ts';
import { resourcesSearch } from '../screens/resources/search.ts';
import { reviewsSearch } from '../screens/reviews/search.ts';
import { servicesSearch } from '../screens/services/search.ts';
import { staffSearch } from '../screens/staff/search.ts';
import { webhookSearch, webhooksSearch } from '../screens/webhooks/search.ts';
import { docsPath } from '../session/return-path.ts';
import { strings } from '../strings/strings.ts';
import { basepath } from './mode.ts';
import { ScreenFailed, ScreenMissing } from './screen-failed.tsx';
import { Shell } from './shell.tsx';

const root = createRootRoute({ component: Shell });
const at = <const Path extends string>(path: Path) => ({ getParentRoute: () => root, path });

/**
 * A screen with its own chunk. A failed load reloads the page, because a newer version may have replaced the chunk, but
 * not while the browser is offline.
 */
function lazyScreen<Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  const loadOnline = () =>
    load().catch((error: unknown) => {
      throw navigator.onLine ? error : new Error(strings.app.offline, { cause: error });
    });
  return lazyRouteComponent(loadOnline, name);
}

const routes = [
  createRoute({
    ...at('/'),
    // The screen is in the main chunk, because most visits start there.
    component: OverviewScreen,
  }),
  createRoute({
    ...at('/calendar'),
    validateSearch: calendarSearch,
    component: lazyScreen(() => import('../screens/calendar/calendar-screen.tsx'), 'CalendarScreen'),
  }),
  createRoute({
    ...at('/bookings'),
    validateSearch: bookingsSearch,
    component: lazyScreen(() => import('../screens/bookings/bookings-screen.tsx'), 'BookingsScreen'),
  }),
  createRoute({
    ...at('/clients'),
    validateSearch: clientsSearch,
    component: lazyScreen(() => import('../screens/clients/clients-screen.tsx'), 'ClientsScreen'),
  }),
  createRoute({
    ...at('/clients/$clientId'),
    validateSearch: clientSearch,
    component: lazyScreen(() => import('../screens/clients/client-screen.tsx'), 'ClientScreen'),
  }),
  createRoute({
    ...at('/payments'),
    validateSearch: paymentsSearch,
    component: lazyScreen(() => import('../screens/payments/payments-screen.tsx'), 'PaymentsScreen'),
  }),
  createRoute({
    ...at('/reviews'),
    validateSearch: reviewsSearch,
    component: lazyScreen(() => import('../screens/reviews/reviews-screen.tsx'), 'ReviewsScreen'),
  }),
  createRoute({
    ...at('/services'),
    validateSearch: servicesSearch,
    component: lazyScreen(() => import('../screens/services/services-screen.tsx'), 'ServicesScreen'),
  }),
  createRoute({
    ...at('/staff'),
    validateSearch: staffSearch,
    component: lazyScreen(() => import('../screens/staff/staff-screen.tsx'), 'StaffScreen'),
  }),
  createRoute({
    ...at('/staff/$staffId'),
    component: lazyScreen(() => import('../screens/staff/staff-member-screen.tsx'), 'StaffMemberScreen'),
  }),
  createRoute({
    ...at('/resources'),
    validateSearch: resourcesSearch,
    component: lazyScreen(() => import('../screens/resources/resources-screen.tsx'), 'ResourcesScreen'),
  }),
  createRoute({
    ...at('/settings'),
    component: lazyScreen(() => import('../screens/settings/settings-screen.tsx'), 'SettingsScreen'),
  }),
  createRoute({ ...at('/team'), component: lazyScreen(() => import('../screens/team/team-screen.tsx'), 'TeamScreen') }),
  createRoute({
    ...at('/audit'),
    component: lazyScreen(() => import('../screens/audit/audit-screen.tsx'), 'AuditScreen'),
  }),
  createRoute({
    ...at('/api-keys'),
    validateSearch: apiKeysSearch,
    component: lazyScreen(() => import('../screens/api-keys/api-keys-screen.tsx'), 'ApiKeysScreen'),
  }),
  createRoute({
    ...at('/webhooks'),
    validateSearch: webhooksSearch,
    component: lazyScreen(() => import('../screens/webhooks/webhooks-screen.tsx'), 'WebhooksScreen'),
  }),
  createRoute({
    ...at('/webhooks/$id'),
    validateSearch: webhookSearch,
    component: lazyScreen(() => import('../screens/webhooks/webhook-screen.tsx'), 'WebhookScreen'),
  }),
  createRoute({
    ...at('/deliveries'),
    validateSearch: deliveriesSearch,
    component: lazyScreen(() => import('../screens/deliveries/deliveries-screen.tsx'), 'DeliveriesScreen'),
  }),
  createRoute({
    ...at('/requests'),
    validateSearch: requestsSearch,
    component: lazyScreen(() => import('../screens/requests/requests-screen.tsx'), 'RequestsScreen'),
  }),
  createRoute({
    ...at('/events'),
    validateSearch: eventsSearch,
    component: lazyScreen(() => import('../screens/events/events-screen.tsx'), 'EventsScreen'),
  }),
  // A signed-in owner may follow the sign-in link of the local run or the documentation.
  createRoute({
    ...at('/sign-in'),
    beforeLoad: async () => {
      const docs = docsPath();
      if (docs) {
        location.replace(docs);
        // The browser leaves the page, so nothing more is rendered.
        await new Promise(() => undefined);
      }
      throw redirect({ to: '/' });
    },
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren(routes),
  basepath,
  defaultErrorComponent: ScreenFailed,
  defaultNotFoundComponent: ScreenMissing,
  defaultPreload: 'intent',
  scrollRestoration: true,
  // Unknown parameters, such as those of campaigns, are dropped.
  search: { strict: true },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
