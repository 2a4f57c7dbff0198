import type { Meaning } from './meaning.ts';

const limit: Meaning = ['Items per page; default 50', 'Elementos por página; 50 si se omite'];
const code: Meaning = ['Code of the error; `null` if there is none', 'Código del error; `null` si no hay'];
const registeredFrom: Meaning = [
  'Registered at this time or later',
  'Registradas en este momento o más tarde',
];
const registeredTo: Meaning = ['Registered before this time', 'Registradas antes de este momento'];
const certificateStatus: Meaning = [
  'State of the certificate: `VALID`, `REVOKED` or `EXPIRED`',
  'Estado del certificado: `VALID`, `REVOKED` o `EXPIRED`',
];
const eventState: Meaning = [
  '`PENDING`: still tried; `DELIVERED`: acknowledged; `FAILED`: no longer tried',
  '`PENDING`: se sigue intentando; `DELIVERED`: confirmado; `FAILED`: ya no se intenta',
];
const eventType: Meaning = ['Type of the event', 'Tipo del evento'];
const receiverStatus: Meaning = [
  'HTTP status of the answer of the receiver; `null` if it did not answer',
  'Estado HTTP de la respuesta del receptor; `null` si no respondió',
];
const attemptError: Meaning = [
  'Reason why it was not acknowledged; `null` if it was',
  'Motivo por el que no se confirmó; `null` si se confirmó',
];
const items: Meaning = ['Newest first', 'De lo más reciente a lo más antiguo'];

/** Lists for programs: their parameters and their items. */
export const listMeanings = {
  cursor: ['`nextCursor` of the previous page', '`nextCursor` de la página anterior'],
  'listRequests.limit': limit,
  'listCertificates.limit': limit,
  'listEvents.limit': limit,
  'listRequests.code': [
    'Code of the error of a request, or of its refusal',
    'Código del error de una solicitud, o de su rechazo',
  ],
  'listRequests.referenceTransaction': [
    'Reference, or at least its first 3 characters',
    'Referencia, o al menos sus 3 primeros caracteres',
  ],
  'listRequests.from': registeredFrom,
  'listRequests.to': registeredTo,
  'listRequests.family': ['Only requests of this family', 'Solo solicitudes de esta familia'],
  'listCertificates.status': certificateStatus,
  notAfterFrom: ['Ends at this time or later', 'Termina en este momento o más tarde'],
  notAfterTo: ['Ends before this time', 'Termina antes de este momento'],
  'listEvents.type': eventType,
  state: eventState,
  'listEvents.from': ['Happened at this time or later', 'Ocurridos en este momento o más tarde'],
  'listEvents.to': ['Happened before this time', 'Ocurridos antes de este momento'],
  items,
  nextCursor: [
    '`cursor` of the next page; `null` on the last page. A page may have fewer items than `limit`',
    '`cursor` de la página siguiente; `null` en la última. Una página puede tener menos elementos que `limit`',
  ],
  'ListedRequest.code': code,
  'ListedRequest.family': ['Family of the request', 'Familia de la solicitud'],
  'ListedCertificate.family': ['Family of its request', 'Familia de su solicitud'],
  'ListedCertificate.status': certificateStatus,
  'ListedCertificate.revokedAt': [
    'Time from which it is not valid; `null` if it is not revoked',
    'Momento desde el que no es válido; `null` si no está revocado',
  ],
  eventId: ['`webhook-id` of its calls', '`webhook-id` de sus llamadas'],
  'ListedEvent.type': eventType,
  'ShownEvent.type': eventType,
  'ListedEvent.code': code,
  'ShownEvent.code': code,
  destination: ['Scheme, host and port of the `callbackUrl`', 'Esquema, host y puerto del `callbackUrl`'],
  attempts: ['Number of attempts so far', 'Número de intentos hasta ahora'],
  lastStatus: [
    'HTTP status of the last answer of the receiver',
    'Estado HTTP de la última respuesta del receptor',
  ],
  lastError: [
    'Reason why the last attempt was not acknowledged; `null` if it was',
    'Motivo por el que no se confirmó el último intento; `null` si se confirmó',
  ],
  nextAttemptAt: [
    'Time of the next attempt; `null` if there is none',
    'Momento del siguiente intento; `null` si no hay otro',
  ],
  deliveredDate: ['Time of the first acknowledgement', 'Momento de la primera confirmación'],
  attemptList: ['All attempts, in order', 'Todos los intentos, en orden'],
  at: ['Start of the attempt', 'Inicio del intento'],
  'EventAttempt.status': receiverStatus,
  'EventAttempt.error': attemptError,
  durationMs: ['Duration in milliseconds', 'Duración en milisegundos'],
  'ShownEvent.body': [
    'Body that is sent, with `{bytes, sha256}` instead of `file` and `password`; `null` once it was deleted',
    'Cuerpo que se envía, con `{bytes, sha256}` en lugar de `file` y `password`; `null` si ya fue borrado',
  ],
  'RecoverEvents.from': [
    'Time of the events, at most 14 days ago',
    'Momento de los eventos, como máximo hace 14 días',
  ],
  'RecoverEvents.to': ['Before this time; default now', 'Antes de este momento; si se omite, ahora'],
  resent: ['Number of events that are sent again', 'Número de eventos que se reenvían'],
  'RecoveredEvents.expired': [
    'Number of events that cannot be sent again because their content was deleted',
    'Número de eventos que no se pueden reenviar porque su contenido fue borrado',
  ],
  'TestEvent.type': eventType,
  url: [
    'Address of the receiver; the rules of `callbackUrl` apply',
    'Dirección del receptor; se aplican las reglas de `callbackUrl`',
  ],
  delivered: ['True if the receiver answered 2xx', 'true si el receptor respondió 2xx'],
  'TestedEvent.status': receiverStatus,
  'TestedEvent.error': attemptError,
} as const satisfies Readonly<Record<string, Meaning>>;
