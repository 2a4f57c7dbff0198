import { defineTexts } from './define-texts.ts';

/** Faults of a call found before its fields are read: address, method, form and size of the body. */
export const callTexts = defineTexts({
  'call.methodNotAllowed': {
    en: '{method} is not allowed here; use {methods}',
    es: '{method} no está permitido aquí; use {methods}',
  },
  'call.headersTooLarge': {
    en: 'The headers are larger than allowed',
    es: 'Las cabeceras superan el tamaño permitido',
  },
  'call.requestTooSlow': {
    en: 'The request did not arrive in time',
    es: 'La petición no llegó a tiempo',
  },
  'call.notHttp': {
    en: 'The request is not well-formed HTTP',
    es: 'La petición no es HTTP bien formado',
  },
  'call.hostCount': {
    en: 'The request must have one Host header; {count} were sent',
    es: 'La petición debe tener una cabecera Host; se enviaron {count}',
  },
  'call.hostInvalid': {
    en: 'The Host header must be a host name or an address, and perhaps a port',
    es: 'La cabecera Host debe ser un nombre de host o una dirección, con puerto o sin él',
  },
  'call.docsNotBuilt': {
    en: 'The documentation is not built yet. Try again in a few seconds',
    es: 'La documentación aún no está lista. Inténtelo de nuevo en unos segundos',
  },
  'call.connectionsTooMany': {
    en: 'There are too many connections from your address',
    es: 'Hay demasiadas conexiones desde su dirección',
  },
  'call.unansweredTooMany': {
    en: 'There are too many unanswered calls from your address',
    es: 'Hay demasiadas llamadas sin respuesta desde su dirección',
  },
  'call.batchesTooMany': {
    en: 'Too many batches of yours are open at once; wait for some of them',
    es: 'Hay demasiados lotes suyos abiertos a la vez; espere a que terminen algunos',
  },
  'call.bodiesTooMany': {
    en: 'Too many bodies of yours are being read at once; wait for some of them',
    es: 'Se están leyendo demasiados cuerpos suyos a la vez; espere a que terminen algunos',
  },
  'call.refusedFilesTooMany': {
    en: 'Too many files of yours came with calls that were refused; they are kept for an hour',
    es: 'Llegaron demasiados archivos suyos con llamadas rechazadas; se guardan una hora',
  },
  'call.bodyMissing': {
    en: 'A JSON body is required; none was sent',
    es: 'Se requiere un cuerpo JSON; no se envió ninguno',
  },
  'call.bodyEmpty': {
    en: 'A JSON body is required; an empty one was sent',
    es: 'Se requiere un cuerpo JSON; se envió uno vacío',
  },
  'call.bodyNotObject': {
    en: 'The body must be a JSON object',
    es: 'El cuerpo debe ser un objeto JSON',
  },
  'call.bodyNotUtf8': {
    en: 'The body is not UTF-8',
    es: 'El cuerpo no está en UTF-8',
  },
  'call.bodyNotUtf8At': {
    en: 'The body is not UTF-8 at octet {octet}, counted from 1',
    es: 'El cuerpo no está en UTF-8 en el octeto {octet}, contado desde 1',
  },
  'call.bodyUtf16': {
    en: 'The body is UTF-16; send it in UTF-8',
    es: 'El cuerpo está en UTF-16; envíelo en UTF-8',
  },
  'call.bodyMalformedAt': {
    en: 'The body is not well-formed JSON at octet {octet}, counted from 1',
    es: 'El cuerpo no es JSON bien formado en el octeto {octet}, contado desde 1',
  },
  'call.bodyTruncated': {
    en: 'The body is not well-formed JSON: it ends after octet {octet}, before it is complete',
    es: 'El cuerpo no es JSON bien formado: termina después del octeto {octet}, antes de estar completo',
  },
  'call.charsetNotUtf8': {
    en: 'The body must be sent in UTF-8',
    es: 'El cuerpo debe enviarse en UTF-8',
  },
  'call.bodyCompressed': {
    en: 'The body must not be compressed',
    es: 'El cuerpo no debe estar comprimido',
  },
  'call.bodyNotForm': {
    en: 'The body must be sent as application/x-www-form-urlencoded',
    es: 'El cuerpo debe enviarse como application/x-www-form-urlencoded',
  },
  'call.bodyTooComplex': {
    en: 'The body is nested too deeply or has too many parts',
    es: 'El cuerpo tiene demasiados niveles o demasiadas partes',
  },
  'call.fieldNameNotAllowed': {
    en: 'The body has a field of a name that is not allowed',
    es: 'El cuerpo tiene un campo con un nombre no permitido',
  },
  'call.fileCount': {
    en: 'The body has more than {count} files',
    es: 'El cuerpo tiene más de {count} archivos',
  },
  'call.bodyIncomplete': {
    en: 'The body ended before it was complete',
    es: 'El cuerpo terminó antes de estar completo',
  },
  'call.bodyTooSlow': {
    en: 'The body arrived too slowly; at least {count} bytes a second are expected',
    es: 'El cuerpo llegó demasiado lento; se esperan al menos {count} bytes por segundo',
  },
  'call.chunksTooSmall': {
    en: 'The body arrived in too many small chunks; send chunks of at least {count} bytes',
    es: 'El cuerpo llegó en demasiados fragmentos pequeños; envíe fragmentos de al menos {count} bytes',
  },
  'call.bodyTooLarge': {
    en: 'The body is larger than allowed; at most {count} bytes are taken here',
    es: 'El cuerpo supera el tamaño permitido; aquí se aceptan como máximo {count} bytes',
  },
  'call.fieldsTooLarge': {
    en: 'The fields other than files come to more than {count} bytes',
    es: 'Los campos que no son archivos suman más de {count} bytes',
  },
  'call.bodyNotNdjson': {
    en: 'The body must be sent as application/x-ndjson',
    es: 'El cuerpo debe enviarse como application/x-ndjson',
  },
  'call.batchTooLong': {
    en: 'A batch has at most {count} lines; send the rest in another',
    es: 'Un lote tiene como máximo {count} líneas; envíe el resto en otro',
  },
  'call.formTooLong': {
    en: 'The form has too many parameters',
    es: 'El formulario tiene demasiados parámetros',
  },
});
