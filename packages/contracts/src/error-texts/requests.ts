/** What stands in the way of a request or certificate, and what is odd about it. */
export const requestTexts = {
  'The event was not found': 'El evento no fue encontrado',
  'A request with referenceTransaction "{given}" already exists':
    'Ya existe una solicitud con referenceTransaction "{given}"',
  'A request with referenceTransaction "{given}" already exists, with other values of {fields}':
    'Ya existe una solicitud con referenceTransaction "{given}", con otros valores de {fields}',
  'This request is of the family {family}; its status is at {path}':
    'Esta solicitud es de la familia {family}; su estado está en {path}',
  'The password that was sent opens the file: the applicant does not claim and chooses none. Leave password out to have them choose it':
    'La contraseña enviada abre el archivo: el solicitante no retira el certificado ni elige una. No envíe password para que la elija',
  'The quota of {count} requests of the type {type} is used up':
    'El cupo de {count} solicitudes del tipo {type} está agotado',
  'There are no active terms and conditions of this type: {type}':
    'No existen términos y condiciones activos de este tipo: {type}',
  'The request is {status}, which does not allow this operation':
    'La solicitud está en {status}, que no permite esta operación',
  'The request is {status}; the next step is {step}':
    'La solicitud está en {status}; el siguiente paso es {step}',
  'The request is {status}; a person is reviewing it':
    'La solicitud está en {status}; una persona la está revisando',
  'The request is {status}; it allows no further step':
    'La solicitud está en {status}; no permite ningún paso más',
  'Another call is at this step of the request; ask again in a moment':
    'Otra llamada está en este paso de la solicitud; consulte de nuevo en un momento',
  'A correction is required: {choices}': 'Se requiere una corrección: {choices}',
  'Neither a correction nor another attempt mends {code}; register a new request':
    'Ni una corrección ni otro intento resuelven {code}; registre una solicitud nueva',
  'The retry limit of {count} attempts was reached and the request was rejected. Last error: {reason}':
    'Se alcanzó el límite de {count} reintentos y la solicitud fue rechazada. Último error: {reason}',
  'The identity validation failed {count} times and the request was refused. Last reason: {reason}':
    'La validación de identidad falló {count} veces y la solicitud fue rechazada. Último motivo: {reason}',
  'The proof of life failed {count} times and the request was refused. Last reason: {reason}':
    'La prueba de vida falló {count} veces y la solicitud fue rechazada. Último motivo: {reason}',
  'The certificate could not be made ({code}): {reason}. An operator may have it made again':
    'No se pudo generar el certificado ({code}): {reason}. Un operador puede mandarlo a generar de nuevo',
  'The review rejected the request: {reasons}': 'La revisión rechazó la solicitud: {reasons}',
  'The validation could not be completed; it may be tried again':
    'No se pudo completar la validación; se puede intentar de nuevo',
  'The identity registry does not answer; try again later':
    'El registro de identidad no responde; intente más tarde',
  'The tax registry does not answer; try again later':
    'El registro tributario no responde; intente más tarde',
  'The tax registry does not know this RUC': 'El RUC no consta en el registro tributario',
  'The proof of life does not answer; try again later': 'La prueba de vida no responde; intente más tarde',
  '{field} contains "{part}", which looks like text decoded wrongly; send JSON in UTF-8':
    '{field} contiene "{part}", que parece un texto mal decodificado; envíe JSON en UTF-8',
  'The check digit of companyRuc "{given}" does not match; newly issued numbers may not have one':
    'El dígito verificador de companyRuc "{given}" no coincide; los números recién emitidos pueden no tenerlo',
  'The certificate will end with its issuer, on {date}, before a period of {period} is over':
    'El certificado terminará con su emisor, el {date}, antes de que se cumpla el período {period}',
  'The certificate will end with the appointment, {field} "{given}", before a period of {period} is over':
    'El certificado terminará con el nombramiento, {field} "{given}", antes de que se cumpla el período {period}',
  'The certificate ends before its period because its issuer does':
    'El certificado termina antes de su período porque su emisor termina antes',
  'The certificate ends before its period because the appointment does':
    'El certificado termina antes de su período porque el nombramiento termina antes',
  'Longer than a certificate may hold, and so shortened in it: {fields}':
    'Más largo de lo que admite un certificado, y por eso abreviado en él: {fields}',
  'A certificate of the API flow is not renewed: its steps prove presence anew':
    'Un certificado del flujo API no se renueva: sus pasos prueban de nuevo la presencia',
  'The request has no certificate to renew': 'La solicitud no tiene un certificado que renovar',
  'The certificate is revoked or on hold and cannot be renewed':
    'El certificado está revocado o suspendido y no se puede renovar',
  'The data of the request were erased; register a new request':
    'Los datos de la solicitud fueron borrados; registre una solicitud nueva',
  'The certificate is renewed already, by referenceTransaction "{given}"':
    'El certificado ya tiene una renovación, con referenceTransaction "{given}"',
  'The certificate is renewed already': 'El certificado ya tiene una renovación',
  'The certificate cannot be renewed here; ask the company that requested it':
    'El certificado no se puede renovar aquí; pregunte a la empresa que lo solicitó',
  'Renewal opens on {date}': 'La renovación se abre el {date}',
  'Renewal closed on {date}': 'La renovación se cerró el {date}',
  'The certificate has expired': 'El certificado ha caducado',
  'The certificate is already on hold': 'El certificado ya está suspendido',
  'The certificate is not on hold': 'El certificado no está suspendido',
  'The link was sent a moment ago; it can be sent again after {count} seconds':
    'El enlace se acaba de enviar; puede enviarse de nuevo después de {count} segundos',
  'The code was entered too long ago; ask for a new one':
    'El código se ingresó hace demasiado tiempo; solicite uno nuevo',
  'The code has expired; ask for a new one': 'El código ha caducado; solicite uno nuevo',
  'The code is not correct; tries left: {count}': 'El código no es correcto; intentos restantes: {count}',
} as const;
