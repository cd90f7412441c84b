/** The demo business, which `npm start` shows and tests begin with. */
import type { WeeklyHours } from '../contract/integration/resources.ts';
import type { Catalogue } from '../core/catalog/copy.ts';

/** The owner who signs in on this machine. */
export const demoOwner = 'owner@salon.example';

/** An owner without a business, for the creation of one. */
export const newOwner = {
  tenantId: 2_001,
  email: 'new-owner@salon.example',
  name: 'A new owner, without a business yet',
};

/** A business with its catalog. */
export type Tenant = Catalogue;

const openingHours = week([{ from: '09:00', to: '19:00' }], [{ from: '10:00', to: '16:00' }]);
const earlyShift = week(
  [
    { from: '09:00', to: '12:00' },
    { from: '12:30', to: '17:00' },
  ],
  [],
);
const lateShift = week(
  [
    { from: '11:00', to: '15:00' },
    { from: '15:30', to: '19:00' },
  ],
  [{ from: '10:00', to: '16:00' }],
);

/** Small ids that are the same in every demo keep the lines to paste short. */
function countUp(): () => number {
  let next = 1_001;
  return () => next++;
}

/**
 * A salon in Riga with three services and three staff members; one has 24 December off. `newId` gives the ids, in
 * the order business, services, staff; by default they count from 1001. `now` is in milliseconds since the epoch.
 */
export function demoTenant(now: number, newId: () => number = countUp()): Tenant {
  const tenantId = newId();
  const [haircut, colour, beard] = [newId(), newId(), newId()];
  const [anna, marta, janis] = [newId(), newId(), newId()];
  const updatedAt = new Date(now).toISOString();
  const service = { active: true, updatedAt, bufferBeforeMinutes: 0, capacity: 1, resourceKind: null };
  const member = { photoUrl: null, rating: null, reviewsCount: 0, active: true };

  return {
    business: {
      id: tenantId,
      name: 'Salon Daugava',
      description: 'Hair and beard, by the river.',
      phone: '+371 2000 0000',
      email: 'hello@salon.example',
      address: 'Krasta iela 1, Riga',
      timeZone: 'Europe/Riga',
      currency: 'EUR',
      workingHours: openingHours,
      bookingRules: {
        slotStepMinutes: 15,
        minNoticeMinutes: 30,
        maxAdvanceDays: 90,
        cancellationNoticeMinutes: 120,
        confirmation: 'automatic',
      },
    },
    services: [
      {
        ...service,
        id: haircut,
        name: 'Haircut',
        description: 'Wash, cut and finish.',
        category: 'Hair',
        durationMinutes: 45,
        bufferAfterMinutes: 0,
        price: { amount: 4_500, currency: 'EUR' },
        staffIds: [anna, marta, janis],
      },
      {
        ...service,
        id: colour,
        name: 'Colour',
        description: 'Full colour with care.',
        category: 'Hair',
        durationMinutes: 120,
        bufferAfterMinutes: 15,
        price: { amount: 9_800, currency: 'EUR' },
        staffIds: [anna, marta],
      },
      {
        ...service,
        id: beard,
        name: 'Beard trim',
        description: 'Shape and hot towel.',
        category: 'Beard',
        durationMinutes: 30,
        bufferAfterMinutes: 0,
        price: { amount: 2_500, currency: 'EUR' },
        staffIds: [janis],
      },
    ],
    staff: [
      {
        ...member,
        id: anna,
        name: 'Anna',
        position: 'Stylist',
        serviceIds: [haircut, colour],
        schedule: { weekly: earlyShift, exceptions: {} },
      },
      {
        ...member,
        id: marta,
        name: 'Marta',
        position: 'Senior stylist',
        serviceIds: [haircut, colour],
        schedule: { weekly: lateShift, exceptions: { [nextChristmasEve(now)]: [] } },
      },
      {
        ...member,
        id: janis,
        name: 'Jānis',
        position: 'Barber',
        serviceIds: [haircut, beard],
        schedule: { weekly: earlyShift, exceptions: {} },
      },
    ],
  };
}

/**
 * The business of a local run: the same salon, with a class for twelve people and a massage that needs a room. Haircut
 * and massage, or colour and beard trim, can be one visit.
 */
export function demoBusiness(now: number): Tenant {
  const newId = countUp();
  const { business, services, staff } = demoTenant(now, newId);
  const [yoga, massage, liga] = [newId(), newId(), newId()];
  const updatedAt = new Date(now).toISOString();
  const service = { active: true, updatedAt, bufferBeforeMinutes: 0, staffIds: [liga] };
  const resource = { active: true, bookings: 0 };
  return {
    business,
    services: [
      ...services,
      {
        ...service,
        id: yoga,
        name: 'Yoga class',
        description: 'Gentle yoga for a group of twelve at most.',
        category: 'Wellness',
        durationMinutes: 60,
        bufferAfterMinutes: 15,
        price: { amount: 1_800, currency: 'EUR' },
        capacity: 12,
        resourceKind: 'studio',
      },
      {
        ...service,
        id: massage,
        name: 'Massage',
        description: 'Back, neck and shoulders.',
        category: 'Wellness',
        durationMinutes: 30,
        bufferAfterMinutes: 5,
        price: { amount: 3_500, currency: 'EUR' },
        capacity: 1,
        resourceKind: 'treatment room',
      },
    ],
    staff: [
      ...staff,
      {
        id: liga,
        name: 'Līga',
        position: 'Yoga teacher and masseuse',
        photoUrl: null,
        rating: null,
        reviewsCount: 0,
        active: true,
        serviceIds: [yoga, massage],
        schedule: { weekly: lateShift, exceptions: {} },
      },
    ],
    resources: [
      { ...resource, id: newId(), name: 'Studio', kind: 'studio' },
      { ...resource, id: newId(), name: 'Treatment room 1', kind: 'treatment room' },
      { ...resource, id: newId(), name: 'Treatment room 2', kind: 'treatment room' },
    ],
  };
}

/** Monday to Friday, Saturday, and Sunday closed. */
function week(weekdays: WeeklyHours['monday'], saturday: WeeklyHours['monday']): WeeklyHours {
  return {
    monday: weekdays,
    tuesday: weekdays,
    wednesday: weekdays,
    thursday: weekdays,
    friday: weekdays,
    saturday,
    sunday: [],
  };
}

function nextChristmasEve(now: number): string {
  const year = new Date(now).getUTCFullYear();
  return `${now < Date.UTC(year, 11, 24) ? year : year + 1}-12-24`;
}
