/** What is wrong with a call before anybody looks at its fields: address, method, form and size of its body. */
export const callTexts = {
  '{method} is not allowed here; use {methods}': '{method} no está permitido aquí; use {methods}',
  'The headers are larger than allowed': 'Las cabeceras superan el tamaño permitido',
  'The request did not arrive in time': 'La petición no llegó a tiempo',
  'The request is not well-formed HTTP': 'La petición no es HTTP bien formado',
  'The request must have one Host header; {count} were sent':
    'La petición debe tener una cabecera Host; se enviaron {count}',
  'The Host header must be a host name or an address, and perhaps a port':
    'La cabecera Host debe ser un nombre de host o una dirección, con puerto o sin él',
  'The documentation is not built yet. Try again in a few seconds':
    'La documentación aún no está lista. Inténtelo de nuevo en unos segundos',
  'There are too many connections from your address': 'Hay demasiadas conexiones desde su dirección',
  'There are too many unanswered calls from your address':
    'Hay demasiadas llamadas sin respuesta desde su dirección',
  'Too many batches of yours are open at once; wait for some of them':
    'Hay demasiados lotes suyos abiertos a la vez; espere a que terminen algunos',
  'Too many bodies of yours are being read at once; wait for some of them':
    'Se están leyendo demasiados cuerpos suyos a la vez; espere a que terminen algunos',
  'Too many files of yours came with calls that were refused; they are kept for an hour':
    'Llegaron demasiados archivos suyos con llamadas rechazadas; se guardan una hora',
  'A JSON body is required; none was sent': 'Se requiere un cuerpo JSON; no se envió ninguno',
  'A JSON body is required; an empty one was sent': 'Se requiere un cuerpo JSON; se envió uno vacío',
  'The body must be a JSON object': 'El cuerpo debe ser un objeto JSON',
  'The body is not UTF-8': 'El cuerpo no está en UTF-8',
  'The body is not UTF-8 at octet {octet}, counted from 1':
    'El cuerpo no está en UTF-8 en el octeto {octet}, contado desde 1',
  'The body is UTF-16; send it in UTF-8': 'El cuerpo está en UTF-16; envíelo en UTF-8',
  'The body is not well-formed JSON at octet {octet}, counted from 1':
    'El cuerpo no es JSON bien formado en el octeto {octet}, contado desde 1',
  'The body is not well-formed JSON: it ends after octet {octet}, before it is complete':
    'El cuerpo no es JSON bien formado: termina después del octeto {octet}, antes de estar completo',
  'The body must be sent in UTF-8': 'El cuerpo debe enviarse en UTF-8',
  'The body must not be compressed': 'El cuerpo no debe estar comprimido',
  'The body must be sent as application/x-www-form-urlencoded':
    'El cuerpo debe enviarse como application/x-www-form-urlencoded',
  'The body is nested too deeply or has too many parts':
    'El cuerpo tiene demasiados niveles o demasiadas partes',
  'The body has a field of a name that is not allowed': 'El cuerpo tiene un campo con un nombre no permitido',
  'The body has more than {count} files': 'El cuerpo tiene más de {count} archivos',
  'The body ended before it was complete': 'El cuerpo terminó antes de estar completo',
  'The body arrived too slowly; at least {count} bytes a second are expected':
    'El cuerpo llegó demasiado lento; se esperan al menos {count} bytes por segundo',
  'The body is larger than allowed; at most {count} bytes are taken here':
    'El cuerpo supera el tamaño permitido; aquí se aceptan como máximo {count} bytes',
  'The fields other than files come to more than {count} bytes':
    'Los campos que no son archivos suman más de {count} bytes',
  'The body must be sent as application/x-ndjson': 'El cuerpo debe enviarse como application/x-ndjson',
  'A batch has at most {count} lines; send the rest in another':
    'Un lote tiene como máximo {count} líneas; envíe el resto en otro',
  'The form has too many parameters': 'El formulario tiene demasiados parámetros',
} as const;
