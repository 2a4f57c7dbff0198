/** Meaning of each webhook event in Spanish. The document has the English ones. */
export const spanishEvents: Readonly<Record<string, string>> = {
  'certificate.issued': 'El certificado fue emitido',
  'certificate.expiring':
    'Al certificado le quedan 30 días, o 5; solo para terceros cuya configuración `events` lo incluye',
  'certificate.revoked':
    'El certificado fue revocado, por el tercero o por cualquier otro; solo para terceros cuya configuración `events` lo incluye. Una suspensión no es una revocación',
  'request.error': 'Ocurrió un error en la validación o la generación, o falló un servicio externo',
  'request.refused': 'La solicitud fue rechazada',
};
