/** The main menu: path, group, icon and lowest role of each screen. router.tsx lists the routes. */
import {
  ArrowLeftRight,
  CalendarDays,
  CreditCard,
  DoorOpen,
  History,
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
  UsersRound,
  Webhook,
  Zap,
} from 'lucide-react';
import type { Role } from './role.ts';

export const screens = [
  { id: 'overview', path: '/', group: 'business', icon: LayoutDashboard, role: 'member' },
  { id: 'calendar', path: '/calendar', group: 'business', icon: CalendarDays, role: 'member' },
  { id: 'bookings', path: '/bookings', group: 'business', icon: ListChecks, role: 'member' },
  { id: 'clients', path: '/clients', group: 'business', icon: Users, role: 'desk' },
  { id: 'payments', path: '/payments', group: 'business', icon: CreditCard, role: 'desk' },
  { id: 'reviews', path: '/reviews', group: 'business', icon: Star, role: 'desk' },
  { id: 'services', path: '/services', group: 'offer', icon: Scissors, role: 'owner' },
  { id: 'staff', path: '/staff', group: 'offer', icon: UserRoundCog, role: 'owner' },
  { id: 'resources', path: '/resources', group: 'offer', icon: DoorOpen, role: 'owner' },
  { id: 'settings', path: '/settings', group: 'offer', icon: Settings, role: 'owner' },
  { id: 'team', path: '/team', group: 'offer', icon: UsersRound, role: 'owner' },
  { id: 'audit', path: '/audit', group: 'offer', icon: History, role: 'owner' },
  { id: 'apiKeys', path: '/api-keys', group: 'developers', icon: KeyRound, role: 'owner' },
  { id: 'webhooks', path: '/webhooks', group: 'developers', icon: Webhook, role: 'owner' },
  { id: 'deliveries', path: '/deliveries', group: 'developers', icon: Send, role: 'owner' },
  { id: 'requests', path: '/requests', group: 'developers', icon: ArrowLeftRight, role: 'owner' },
  { id: 'events', path: '/events', group: 'developers', icon: Zap, role: 'owner' },
] as const satisfies readonly { id: string; path: string; group: string; icon: LucideIcon; role: Role }[];

export type Screen = (typeof screens)[number];

export const screenGroups: readonly Screen['group'][] = [...new Set(screens.map(({ group }) => group))];
