import type { Meaning } from './meaning.ts';

const limit: Meaning = ['Items of a page: 50 unless given', 'Elementos de una página: 50 si no se indica'];
const code: Meaning = [
  'Code of the fault; `null` where there is none',
  'Código de la falla; `null` si no hay',
];
const registeredFrom: Meaning = ['Registered at this time or later', 'Registradas en este momento o después'];
const registeredTo: Meaning = ['Registered before this time', 'Registradas antes de este momento'];
const certificateStatus: Meaning = [
  'State of the certificate: `VALID`, `REVOKED` or `EXPIRED`',
  'Estado del certificado: `VALID`, `REVOKED` o `EXPIRED`',
];
const eventState: Meaning = [
  '`PENDING` is still tried, `DELIVERED` was acknowledged, `FAILED` is not tried any more',
  '`PENDING` se sigue intentando, `DELIVERED` fue confirmado, `FAILED` ya no se intenta',
];
const eventType: Meaning = ['Type of the event', 'Tipo del evento'];
const statusOfReceiver: Meaning = [
  'HTTP status that the receiver answered; `null` where it answered none',
  'Estado HTTP que respondió el receptor; `null` si no respondió ninguno',
];
const errorOfAttempt: Meaning = [
  'Why it was not acknowledged, in words; `null` where it was',
  'Por qué no fue confirmado, en palabras; `null` si lo fue',
];
const items: Meaning = ['Newest first', 'De lo más reciente a lo más antiguo'];

/** Lists for programs: their parameters and their items. */
export const listMeanings = {
  cursor: ['`nextCursor` of the page before', '`nextCursor` de la página anterior'],
  'listRequests.limit': limit,
  'listCertificates.limit': limit,
  'listEvents.limit': limit,
  'listRequests.code': [
    'Code of the fault that a request is in, or was refused for',
    'Código de la falla en que está una solicitud, o por la que fue rechazada',
  ],
  'listRequests.referenceTransaction': [
    'The reference or its beginning, of at least 3 characters',
    'La referencia o su comienzo, de al menos 3 caracteres',
  ],
  'listRequests.from': registeredFrom,
  'listRequests.to': registeredTo,
  'listRequests.family': ['One family alone', 'Solo una familia'],
  'listCertificates.status': certificateStatus,
  notAfterFrom: ['Ends at this time or later', 'Caduca en este momento o después'],
  notAfterTo: ['Ends before this time', 'Caduca antes de este momento'],
  'listEvents.type': eventType,
  state: eventState,
  'listEvents.from': ['Happened at this time or later', 'Ocurridos en este momento o después'],
  'listEvents.to': ['Happened before this time', 'Ocurridos antes de este momento'],
  items,
  nextCursor: [
    '`cursor` of the next page; `null` after the last one. A page may have fewer items than `limit`',
    '`cursor` de la página siguiente; `null` después de la última. Una página puede tener menos elementos que `limit`',
  ],
  'ListedRequest.code': code,
  'ListedRequest.family': ['Family of the request', 'Familia de la solicitud'],
  'ListedCertificate.family': ['Family of its request', 'Familia de su solicitud'],
  'ListedCertificate.status': certificateStatus,
  'ListedCertificate.revokedAt': [
    'Since when it is not valid; `null` where it is not revoked',
    'Desde cuándo no es válido; `null` si no está revocado',
  ],
  eventId: ['The `webhook-id` of its calls', 'El `webhook-id` de sus llamadas'],
  'ListedEvent.type': eventType,
  'ShownEvent.type': eventType,
  'ListedEvent.code': code,
  'ShownEvent.code': code,
  destination: ['Scheme, host and port of the `callbackUrl`', 'Esquema, host y puerto del `callbackUrl`'],
  attempts: ['Attempts so far', 'Intentos hasta ahora'],
  lastStatus: ['Status that the receiver answered last', 'Último estado que respondió el receptor'],
  lastError: [
    'Why the last attempt was not acknowledged; `null` where it was',
    'Por qué no se confirmó el último intento; `null` si se confirmó',
  ],
  nextAttemptAt: [
    'When it is tried next; `null` where it is not tried any more',
    'Cuándo se intenta de nuevo; `null` si ya no se intenta',
  ],
  deliveredDate: ['When it was acknowledged first', 'Cuándo se confirmó por primera vez'],
  attemptList: ['Every attempt, the first one first', 'Todos los intentos, desde el primero'],
  at: ['When the attempt began', 'Cuándo comenzó el intento'],
  'EventAttempt.status': statusOfReceiver,
  'EventAttempt.error': errorOfAttempt,
  durationMs: ['Milliseconds that it took', 'Milisegundos que tomó'],
  'ShownEvent.body': [
    'What is sent, with `{bytes, sha256}` in the place of `file` and `password`; `null` once it was deleted',
    'Lo que se envía, con `{bytes, sha256}` en lugar de `file` y `password`; `null` si ya fue borrado',
  ],
  'RecoverEvents.from': [
    'Time of the events, at most 14 days ago',
    'Momento de los eventos, como máximo hace 14 días',
  ],
  'RecoverEvents.to': ['Before this time; now unless given', 'Antes de este momento; ahora si no se indica'],
  resent: ['Events that are sent again', 'Eventos que se reenvían'],
  'RecoveredEvents.expired': [
    'Events whose content was deleted, so that they cannot be sent again',
    'Eventos cuyo contenido fue borrado y no se pueden reenviar',
  ],
  'TestEvent.type': eventType,
  url: [
    'Where to send it, by the rules of `callbackUrl`',
    'Adónde enviarlo, según las reglas de `callbackUrl`',
  ],
  delivered: ['Whether the receiver answered 2xx', 'Si el receptor respondió 2xx'],
  'TestedEvent.status': statusOfReceiver,
  'TestedEvent.error': errorOfAttempt,
} as const satisfies Readonly<Record<string, Meaning>>;
