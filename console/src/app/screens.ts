/** The screens of the main menu: path, group and icon. The menu is built from this table; router.tsx lists the routes. */
import {
  CalendarDays,
  CreditCard,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  Scissors,
  Send,
  Settings,
  Star,
  UserRoundCog,
  Users,
  Webhook,
  Zap,
} from 'lucide-react';

export const screens = [
  { id: 'overview', path: '/', group: 'business', icon: LayoutDashboard },
  { id: 'calendar', path: '/calendar', group: 'business', icon: CalendarDays },
  { id: 'bookings', path: '/bookings', group: 'business', icon: ListChecks },
  { id: 'clients', path: '/clients', group: 'business', icon: Users },
  { id: 'payments', path: '/payments', group: 'business', icon: CreditCard },
  { id: 'reviews', path: '/reviews', group: 'business', icon: Star },
  { id: 'services', path: '/services', group: 'offer', icon: Scissors },
  { id: 'staff', path: '/staff', group: 'offer', icon: UserRoundCog },
  { id: 'settings', path: '/settings', group: 'offer', icon: Settings },
  { id: 'apiKeys', path: '/api-keys', group: 'developers', icon: KeyRound },
  { id: 'webhooks', path: '/webhooks', group: 'developers', icon: Webhook },
  { id: 'deliveries', path: '/deliveries', group: 'developers', icon: Send },
  { id: 'events', path: '/events', group: 'developers', icon: Zap },
] as const satisfies readonly { id: string; path: string; group: string; icon: LucideIcon }[];

export type ScreenId = (typeof screens)[number]['id'];
export type ScreenGroup = (typeof screens)[number]['group'];

export const screenGroups: readonly ScreenGroup[] = [...new Set(screens.map(({ group }) => group))];
