// Generated from openapi.json by npm run client.

/** A message of each event. */
export const eventExamples = {
  'booking.created': {
  "id": "dlv_0a1b2c3d4e5f",
  "event": "booking.created",
  "timestamp": "2026-11-24T08:30:00.000Z",
  "apiVersion": "1.0",
  "data": {
    "bookingId": 372418265088001,
    "status": "confirmed",
    "serviceName": "Haircut",
    "staffName": "Anna",
    "startTime": "2026-12-01T10:00:00+02:00",
    "serviceId": 372418265088101,
    "staffId": 372418265088201,
    "clientId": 372418265088301,
    "endTime": "2026-12-01T10:45:00+02:00",
    "timeZone": "Europe/Riga",
    "externalId": "crm-1042",
    "source": "integration",
    "price": {
      "amount": 4500,
      "currency": "EUR"
    }
  }
},
  'booking.confirmed': {
  "id": "dlv_0a1b2c3d4e5f",
  "event": "booking.confirmed",
  "timestamp": "2026-11-24T08:30:00.000Z",
  "apiVersion": "1.0",
  "data": {
    "bookingId": 372418265088001,
    "status": "confirmed",
    "serviceName": "Haircut",
    "staffName": "Anna",
    "startTime": "2026-12-01T10:00:00+02:00",
    "serviceId": 372418265088101,
    "staffId": 372418265088201,
    "clientId": 372418265088301,
    "endTime": "2026-12-01T10:45:00+02:00",
    "timeZone": "Europe/Riga",
    "externalId": "crm-1042",
    "confirmedBy": "automatic"
  }
},
  'booking.cancelled': {
  "id": "dlv_0a1b2c3d4e5f",
  "event": "booking.cancelled",
  "timestamp": "2026-11-24T08:30:00.000Z",
  "apiVersion": "1.0",
  "data": {
    "bookingId": 372418265088001,
    "status": "cancelled",
    "serviceName": "Haircut",
    "staffName": "Anna",
    "startTime": "2026-12-01T10:00:00+02:00",
    "serviceId": 372418265088101,
    "staffId": 372418265088201,
    "clientId": 372418265088301,
    "endTime": "2026-12-01T10:45:00+02:00",
    "timeZone": "Europe/Riga",
    "externalId": "crm-1042",
    "cancelledBy": "integration",
    "reason": "Client is ill",
    "cancelledAt": "2026-11-28T09:15:00.000Z"
  }
},
  'booking.completed': {
  "id": "dlv_0a1b2c3d4e5f",
  "event": "booking.completed",
  "timestamp": "2026-11-24T08:30:00.000Z",
  "apiVersion": "1.0",
  "data": {
    "bookingId": 372418265088001,
    "status": "completed",
    "serviceName": "Haircut",
    "staffName": "Anna",
    "startTime": "2026-12-01T10:00:00+02:00",
    "serviceId": 372418265088101,
    "staffId": 372418265088201,
    "clientId": 372418265088301,
    "endTime": "2026-12-01T10:45:00+02:00",
    "timeZone": "Europe/Riga",
    "externalId": "crm-1042",
    "completedAt": "2026-12-01T08:45:00.000Z"
  }
},
  'booking.no_show': {
  "id": "dlv_0a1b2c3d4e5f",
  "event": "booking.no_show",
  "timestamp": "2026-11-24T08:30:00.000Z",
  "apiVersion": "1.0",
  "data": {
    "bookingId": 372418265088001,
    "status": "no_show",
    "serviceName": "Haircut",
    "staffName": "Anna",
    "startTime": "2026-12-01T10:00:00+02:00",
    "serviceId": 372418265088101,
    "staffId": 372418265088201,
    "clientId": 372418265088301,
    "endTime": "2026-12-01T10:45:00+02:00",
    "timeZone": "Europe/Riga",
    "externalId": "crm-1042",
    "markedAt": "2026-12-01T08:30:00.000Z"
  }
},
  'booking.rescheduled': {
  "id": "dlv_0a1b2c3d4e5f",
  "event": "booking.rescheduled",
  "timestamp": "2026-11-24T08:30:00.000Z",
  "apiVersion": "1.0",
  "data": {
    "bookingId": 372418265088001,
    "status": "confirmed",
    "serviceName": "Haircut",
    "staffName": "Anna",
    "startTime": "2026-12-01T10:00:00+02:00",
    "serviceId": 372418265088101,
    "staffId": 372418265088201,
    "clientId": 372418265088301,
    "endTime": "2026-12-01T10:45:00+02:00",
    "timeZone": "Europe/Riga",
    "externalId": "crm-1042",
    "previousStartTime": "2026-11-30T10:00:00+02:00",
    "previousEndTime": "2026-11-30T10:45:00+02:00",
    "previousStaffId": 372418265088201,
    "rescheduledBy": "integration"
  }
},
  'client.created': {
  "id": "dlv_0a1b2c3d4e5f",
  "event": "client.created",
  "timestamp": "2026-11-24T08:30:00.000Z",
  "apiVersion": "1.0",
  "data": {
    "clientId": 372418265088301,
    "name": "Jane Doe",
    "phone": "+37120000000",
    "email": "jane@example.com",
    "createdAt": "2026-11-24T08:30:00.000Z"
  }
},
  'client.updated': {
  "id": "dlv_0a1b2c3d4e5f",
  "event": "client.updated",
  "timestamp": "2026-11-24T08:30:00.000Z",
  "apiVersion": "1.0",
  "data": {
    "clientId": 372418265088301,
    "name": "Jane Doe",
    "phone": "+37120000000",
    "email": "jane@example.com",
    "createdAt": "2026-11-24T08:30:00.000Z",
    "changedFields": [
      "phone"
    ],
    "updatedAt": "2026-11-25T10:00:00.000Z"
  }
},
  'review.created': {
  "id": "dlv_0a1b2c3d4e5f",
  "event": "review.created",
  "timestamp": "2026-11-24T08:30:00.000Z",
  "apiVersion": "1.0",
  "data": {
    "reviewId": 372418265088401,
    "bookingId": 372418265088001,
    "clientId": 372418265088301,
    "staffId": 372418265088201,
    "serviceId": 372418265088101,
    "rating": 5,
    "text": "Great as always",
    "createdAt": "2026-12-02T18:00:00.000Z"
  }
},
  'payment.received': {
  "id": "dlv_0a1b2c3d4e5f",
  "event": "payment.received",
  "timestamp": "2026-11-24T08:30:00.000Z",
  "apiVersion": "1.0",
  "data": {
    "paymentId": 372418265088501,
    "bookingId": 372418265088001,
    "clientId": 372418265088301,
    "amount": 4500,
    "currency": "EUR",
    "method": "card",
    "receivedAt": "2026-12-01T08:50:00.000Z"
  }
},
  'payment.refunded': {
  "id": "dlv_0a1b2c3d4e5f",
  "event": "payment.refunded",
  "timestamp": "2026-11-24T08:30:00.000Z",
  "apiVersion": "1.0",
  "data": {
    "refundId": 372418265088601,
    "paymentId": 372418265088501,
    "bookingId": 372418265088001,
    "amount": 1500,
    "currency": "EUR",
    "reason": "Shortened visit",
    "partial": true,
    "refundedAt": "2026-12-03T12:00:00.000Z"
  }
},
  'staff.schedule_updated': {
  "id": "dlv_0a1b2c3d4e5f",
  "event": "staff.schedule_updated",
  "timestamp": "2026-11-24T08:30:00.000Z",
  "apiVersion": "1.0",
  "data": {
    "staffId": 372418265088201,
    "staffName": "Anna",
    "from": "2026-12-24",
    "to": "2026-12-26",
    "updatedAt": "2026-11-24T08:30:00.000Z"
  }
},
  'service.updated': {
  "id": "dlv_0a1b2c3d4e5f",
  "event": "service.updated",
  "timestamp": "2026-11-24T08:30:00.000Z",
  "apiVersion": "1.0",
  "data": {
    "serviceId": 372418265088101,
    "name": "Haircut",
    "durationMinutes": 45,
    "price": {
      "amount": 4500,
      "currency": "EUR"
    },
    "active": true,
    "changedFields": [
      "price"
    ],
    "updatedAt": "2026-11-24T08:30:00.000Z"
  }
},
  'service.deleted': {
  "id": "dlv_0a1b2c3d4e5f",
  "event": "service.deleted",
  "timestamp": "2026-11-24T08:30:00.000Z",
  "apiVersion": "1.0",
  "data": {
    "serviceId": 372418265088101,
    "name": "Haircut",
    "deletedAt": "2026-11-24T08:30:00.000Z"
  }
},
} as const;
