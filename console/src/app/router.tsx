/** The routes. Each screen is a chunk of its own. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { OverviewScreen } from '../screens/overview/overview-screen.tsx';
import { docsPath } from '../session/return-path.ts';
import { strings } from '../strings/strings.ts';
import { basepath } from './mode.ts';
import { ScreenFailed, ScreenMissing } from './screen-failed.tsx';
import { searches } from './search.ts';
import { Shell } from './shell.tsx';

const root = createRootRoute({ component: Shell });
const at = <const Path extends string>(path: Path) => ({ getParentRoute: () => root, path });

/**
 * A screen with its own chunk. A failed load reloads the page, because a newer version may have replaced the chunk, but
 * not while the browser is offline.
 */
function screen<
  const Path extends keyof typeof searches,
  Module extends Record<string, unknown>,
  Name extends keyof Module,
>(path: Path, load: () => Promise<Module>, name: Name) {
  const loadOnline = () =>
    load().catch((error: unknown) => {
      throw navigator.onLine ? error : new Error(strings.app.offline, { cause: error });
    });
  return createRoute({ ...at(path), validateSearch: searches[path], component: lazyRouteComponent(loadOnline, name) });
}

const routes = [
  // The overview is in the main chunk, because most visits start there.
  createRoute({ ...at('/'), component: OverviewScreen }),
  screen('/calendar', () => import('../screens/calendar/calendar-screen.tsx'), 'CalendarScreen'),
  screen('/bookings', () => import('../screens/bookings/bookings-screen.tsx'), 'BookingsScreen'),
  screen('/clients', () => import('../screens/clients/clients-screen.tsx'), 'ClientsScreen'),
  screen('/clients/$clientId', () => import('../screens/clients/client-screen.tsx'), 'ClientScreen'),
  screen('/payments', () => import('../screens/payments/payments-screen.tsx'), 'PaymentsScreen'),
  screen('/reviews', () => import('../screens/reviews/reviews-screen.tsx'), 'ReviewsScreen'),
  screen('/services', () => import('../screens/services/services-screen.tsx'), 'ServicesScreen'),
  screen('/staff', () => import('../screens/staff/staff-screen.tsx'), 'StaffScreen'),
  screen('/staff/$staffId', () => import('../screens/staff/staff-member-screen.tsx'), 'StaffMemberScreen'),
  screen('/resources', () => import('../screens/resources/resources-screen.tsx'), 'ResourcesScreen'),
  screen('/settings', () => import('../screens/settings/settings-screen.tsx'), 'SettingsScreen'),
  screen('/team', () => import('../screens/team/team-screen.tsx'), 'TeamScreen'),
  screen('/audit', () => import('../screens/audit/audit-screen.tsx'), 'AuditScreen'),
  screen('/api-keys', () => import('../screens/api-keys/api-keys-screen.tsx'), 'ApiKeysScreen'),
  screen('/webhooks', () => import('../screens/webhooks/webhooks-screen.tsx'), 'WebhooksScreen'),
  screen('/webhooks/$id', () => import('../screens/webhooks/webhook-screen.tsx'), 'WebhookScreen'),
  screen('/deliveries', () => import('../screens/deliveries/deliveries-screen.tsx'), 'DeliveriesScreen'),
  screen('/requests', () => import('../screens/requests/requests-screen.tsx'), 'RequestsScreen'),
  screen('/events', () => import('../screens/events/events-screen.tsx'), 'EventsScreen'),
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
