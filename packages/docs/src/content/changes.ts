export interface Change {
  /** Day of publication, `yyyy-MM-dd`. */
  readonly date: string;
  /** Fragment of its address, and its id in the feed. */
  readonly id: string;
  readonly en: string;
  readonly es: string;
}

/** Changes that partners notice, newest first. `CHANGELOG.md` also contains those for operators and platform teams. */
export const changes: readonly Change[] = [
  {
    date: '2026-11-29',
    id: 'own-ruc',
    en: 'The certificate of a natural person carries `companyRuc` only where it begins with `identificationNumber`. A representative of a company that the tax registry knows under another name goes to a reviewer.',
    es: 'El certificado de una persona natural lleva `companyRuc` solo si empieza con `identificationNumber`. El representante de una empresa que el registro tributario conoce con otro nombre pasa a revisión.',
  },
  {
    date: '2026-11-29',
    id: 'shares',
    en: 'Eight batches of yours may be open at once; a further one is 429. Lists wait for their turn where many of yours are under way; with 32 waiting a further one is 429.',
    es: 'Puede tener ocho lotes abiertos a la vez; uno más recibe 429. Las listas esperan su turno si muchas suyas están en curso; con 32 en espera, una más recibe 429.',
  },
  {
    date: '2026-11-28',
    id: 'sdk-download',
    en: 'The SDK is installed from the documentation: `npm install` with the address of `/docs/rubrica-sdk.tgz`.',
    es: 'El SDK se instala desde la documentación: `npm install` con la dirección de `/docs/rubrica-sdk.tgz`.',
  },
  {
    date: '2026-11-28',
    id: 'lists',
    en: 'Lists for programs: `GET /gateway/requests`, `/gateway/certificates` and `/gateway/events`, one event with its attempts, and calls that send events again or send a signed test event.',
    es: 'Listas para programas: `GET /gateway/requests`, `/gateway/certificates` y `/gateway/events`, un evento con sus intentos, y llamadas que reenvían eventos o envían un evento de prueba firmado.',
  },
  {
    date: '2026-11-28',
    id: 'event-code',
    en: '`request.error` and `request.refused` carry `x-rubrica-code`, the code of the fault.',
    es: '`request.error` y `request.refused` llevan `x-rubrica-code`, el código de la falla.',
  },
  {
    date: '2026-11-28',
    id: 'dry-run-operations',
    en: 'Dry runs are operations of their own, at the address of the registration followed by `/dry-run`, so that generated clients read the answer of a registration without a cast. `?dryRun=true` stays. They warn of unknown fields (`UNKNOWN_FIELD`), of cities that are in no list (`UNKNOWN_CITY`) and of text that looks wrongly decoded (`TEXT_DECODING`).',
    es: 'Los ensayos son operaciones propias, en la dirección del registro seguida de `/dry-run`, para que los clientes generados lean la respuesta de un registro sin conversiones. `?dryRun=true` sigue. Advierten de campos desconocidos (`UNKNOWN_FIELD`), de ciudades que no están en ninguna lista (`UNKNOWN_CITY`) y de texto que parece mal decodificado (`TEXT_DECODING`).',
  },
  {
    date: '2026-11-28',
    id: 'doc-url',
    en: 'Every error object has `docUrl`. A status query at another family’s address names the family; a repeated `referenceTransaction` whose body differs names the fields; JSON sent to `/oauth/token` is 415. A `password` that takes the place of an agreed claim is noted as `PASSWORD_GIVEN`.',
    es: 'Todo objeto de error tiene `docUrl`. Una consulta de estado en la dirección de otra familia nombra la familia; un `referenceTransaction` repetido con otro cuerpo nombra los campos; JSON enviado a `/oauth/token` es 415. Una `password` que reemplaza un retiro acordado se observa como `PASSWORD_GIVEN`.',
  },
  {
    date: '2026-11-28',
    id: 'sandbox-scope',
    en: '`POST /sandbox/advance` needs the scope `collector:write`.',
    es: '`POST /sandbox/advance` requiere el alcance `collector:write`.',
  },
  {
    date: '2026-11-26',
    id: 'own-renewal',
    en: 'Subscribers may renew by themselves by the link of a reminder, where your setting `holderRenewal` is on; you get the ordinary events.',
    es: 'Los titulares pueden renovar por sí mismos con el enlace de un recordatorio, si su ajuste `holderRenewal` está activo; usted recibe los eventos de siempre.',
  },
  {
    date: '2026-11-25',
    id: 'further-events',
    en: 'Events `certificate.expiring` (30 and 5 days before the end) and `certificate.revoked`, where your setting `events` names them; those of a renewal carry `x-rubrica-renewal-of`. Subscribers are reminded of the end by mail, as your setting `holderReminders` says.',
    es: 'Eventos `certificate.expiring` (30 y 5 días antes del fin) y `certificate.revoked`, si su ajuste `events` los nombra; los de una renovación llevan `x-rubrica-renewal-of`. Los titulares reciben recordatorios del fin por correo, según su ajuste `holderReminders`.',
  },
  {
    date: '2026-11-24',
    id: 'renewal',
    en: 'Renewal: `POST /manager/certificate/renew`, from 60 days before the end to 60 days after it; code `RENEWAL_NOT_OPEN`, `renewalOf` and `renewedBy` in status answers.',
    es: 'Renovación: `POST /manager/certificate/renew`, desde 60 días antes del fin hasta 60 días después; código `RENEWAL_NOT_OPEN`, `renewalOf` y `renewedBy` en las respuestas de estado.',
  },
  {
    date: '2026-11-24',
    id: 'batch',
    en: 'Many at once: `POST /collector/linked-partner/batch` accepts up to 10,000 lines; `linkedPartner.registerMany` in the SDK.',
    es: 'Muchas a la vez: `POST /collector/linked-partner/batch` acepta hasta 10.000 líneas; `linkedPartner.registerMany` en el SDK.',
  },
  {
    date: '2026-11-24',
    id: 'quotas',
    en: 'Quotas by month or package: 429 `QUOTA_EXCEEDED`, `x-quota-limit` and `x-quota-remaining`. `GET /gateway/usage` says what became of the requests of a month.',
    es: 'Cupos por mes o paquete: 429 `QUOTA_EXCEEDED`, `x-quota-limit` y `x-quota-remaining`. `GET /gateway/usage` dice qué fue de las solicitudes de un mes.',
  },
  {
    date: '2026-11-23',
    id: 'documentation',
    en: 'This documentation: a page for each subject and operation, in two languages, with search, examples in four languages and calls to try in the sandbox.',
    es: 'Esta documentación: una página por tema y operación, en dos idiomas, con búsqueda, ejemplos en cuatro lenguajes y llamadas para probar en el sandbox.',
  },
  {
    date: '2026-11-23',
    id: 'claim-reports',
    en: 'The applicant can say at the claim that it was not them (`APPLICANT_DISPUTED`) or that the data are wrong (`APPLICANT_DATA_WRONG`).',
    es: 'Al retirar, el solicitante puede decir que no fue él (`APPLICANT_DISPUTED`) o que los datos están mal (`APPLICANT_DATA_WRONG`).',
  },
  {
    date: '2026-11-23',
    id: 'dry-runs',
    en: 'Dry runs of registrations (`?dryRun=true`), events in an `envelope`, `Accept-Language: es` for every message, and in the sandbox the clock of a request (`POST /sandbox/advance`).',
    es: 'Ensayos de registro (`?dryRun=true`), eventos en un sobre (`envelope`), `Accept-Language: es` para todos los mensajes, y en el sandbox el reloj de una solicitud (`POST /sandbox/advance`).',
  },
  {
    date: '2026-11-23',
    id: 'assertions',
    en: 'Clients may sign an assertion instead of sending a secret (`private_key_jwt`). Reference lists, events for all families, and `observations` of weight `WARNING`.',
    es: 'Los clientes pueden firmar una aserción en lugar de enviar un secreto (`private_key_jwt`). Listas de referencia, eventos para todas las familias, y `observations` de peso `WARNING`.',
  },
  {
    date: '2026-11-22',
    id: 'first',
    en: '0.1.0: registration in five families, claim, retries, cancelling, revocation, signed events.',
    es: '0.1.0: registro en cinco familias, retiro, reintentos, cancelación, revocación, eventos firmados.',
  },
];
