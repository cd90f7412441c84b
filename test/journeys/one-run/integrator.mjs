/** An integrator's program in plain JavaScript that runs on every platform. Returns what it received. */
import { ApiError, createClient, verifyWebhook } from 'booking-integration-client';

export async function integrate({ baseUrl, apiKey, from, to, message }) {
  const api = createClient({ baseUrl, apiKey, backoffMs: 10 });
  const services = [];
  for await (const { name } of api.listServices({ limit: 1 })) services.push(name);

  const began = performance.now();
  await api.getBusiness();
  const waitedMs = performance.now() - began;

  const [{ id: serviceId }] = (await api.listServices()).data;
  const { data: slots } = await api.listSlots({ serviceId, from, to });
  const { startTime, staffId } = slots[0];
  const choice = { serviceId, staffId, startTime, client: { name: 'Jane Doe', email: 'jane@example.com' } };
  const { status } = await api.createBooking(choice);
  const bookings = (await api.listBookings()).data.length;
  const conflict = await api.createBooking(choice).catch((error) => error);

  const { event } = await verifyWebhook(message.secret, new Headers(message.headers), message.body);
  const forged = await verifyWebhook(`whsec_${btoa('another')}`, message.headers, message.body).catch((error) => error);
  return {
    services,
    waitedMs,
    status,
    bookings,
    conflict: conflict instanceof ApiError && { code: conflict.code, next: conflict.details.nextAvailable },
    event,
    forged: forged.code,
  };
}
