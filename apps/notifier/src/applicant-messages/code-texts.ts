const claimCode = {
  es: {
    subject: 'Su código para retirar el certificado de firma electrónica',
    preview: 'Úselo en la página en la que retira su certificado. No lo comparta con nadie.',
    heading: 'Su código de seis dígitos',
    paragraphs: [
      'Escriba este código en la página en la que está retirando el certificado que {partner} solicitó a su nombre.',
    ],
    until: 'Vence a las',
    notes: [
      'No comparta este código con nadie: nunca se lo pediremos por correo ni por teléfono.',
      'Si usted no lo pidió, ignore este mensaje: sin el código nadie puede retirar su certificado.',
    ],
  },
  en: {
    subject: 'Your code to claim the electronic signature certificate',
    preview: 'Use it on the claim page. Do not share it with anyone.',
    heading: 'Your six-digit code',
    paragraphs: [
      'Enter this code on the page where you are claiming the certificate that {partner} requested in your name.',
    ],
    until: 'Valid until',
    notes: [
      'Do not share this code with anyone: we never ask for it by e-mail or telephone.',
      'If you did not ask for it, ignore this message: without the code nobody can claim your certificate.',
    ],
  },
};

const downloadCode = {
  es: {
    subject: 'Su código para descargar el certificado de firma electrónica',
    preview: 'Úselo en la página de descarga. No lo comparta con nadie.',
    heading: 'Su código de seis dígitos',
    paragraphs: [
      'Escriba este código en la página en la que está descargando el certificado que {partner} solicitó a su nombre.',
    ],
    until: 'Vence a las',
    notes: [
      'No comparta este código con nadie: nunca se lo pediremos por correo ni por teléfono.',
      'Si usted no lo pidió, ignore este mensaje: sin el código nadie puede descargar su certificado.',
    ],
  },
  en: {
    subject: 'Your code to download the electronic signature certificate',
    preview: 'Use it on the download page. Do not share it with anyone.',
    heading: 'Your six-digit code',
    paragraphs: [
      'Enter this code on the page where you are downloading the certificate that {partner} requested in your name.',
    ],
    until: 'Valid until',
    notes: [
      'Do not share this code with anyone: we never ask for it by e-mail or telephone.',
      'If you did not ask for it, ignore this message: without the code nobody can download your certificate.',
    ],
  },
};

const revokeCode = {
  es: {
    subject: 'Su código para revocar el certificado de firma electrónica',
    preview: 'Úselo en la página en la que revoca su certificado. No lo comparta con nadie.',
    heading: 'Su código de seis dígitos',
    paragraphs: [
      'Escriba este código en la página en la que está revocando el certificado que {partner} solicitó a su nombre. Un certificado revocado no vuelve a ser válido.',
    ],
    until: 'Vence a las',
    notes: [
      'No comparta este código con nadie: nunca se lo pediremos por correo ni por teléfono.',
      'Si usted no lo pidió, ignore este mensaje: sin el código nadie puede revocar su certificado.',
    ],
  },
  en: {
    subject: 'Your code to revoke the electronic signature certificate',
    preview: 'Use it on the page where you revoke your certificate. Do not share it with anyone.',
    heading: 'Your six-digit code',
    paragraphs: [
      'Enter this code on the page where you are revoking the certificate that {partner} requested in your name. A revoked certificate never becomes valid again.',
    ],
    until: 'Valid until',
    notes: [
      'Do not share this code with anyone: we never ask for it by e-mail or telephone.',
      'If you did not ask for it, ignore this message: without the code nobody can revoke your certificate.',
    ],
  },
};

const renewalCode = {
  es: {
    subject: 'Su código para renovar el certificado de firma electrónica',
    preview: 'Úselo en la página en la que renueva su certificado. No lo comparta con nadie.',
    heading: 'Su código de seis dígitos',
    paragraphs: [
      'Escriba este código en la página en la que está renovando el certificado que {partner} solicitó a su nombre.',
    ],
    until: 'Vence a las',
    notes: [
      'No comparta este código con nadie: nunca se lo pediremos por correo ni por teléfono.',
      'Si usted no lo pidió, ignore este mensaje: sin el código nadie puede renovar su certificado.',
    ],
  },
  en: {
    subject: 'Your code to renew the electronic signature certificate',
    preview: 'Use it on the page where you renew your certificate. Do not share it with anyone.',
    heading: 'Your six-digit code',
    paragraphs: [
      'Enter this code on the page where you are renewing the certificate that {partner} requested in your name.',
    ],
    until: 'Valid until',
    notes: [
      'Do not share this code with anyone: we never ask for it by e-mail or telephone.',
      'If you did not ask for it, ignore this message: without the code nobody can renew your certificate.',
    ],
  },
};

/** E-mails with a code, for applicants who receive codes at their second address. */
export const mailedCodeTexts = {
  'claim-code': claimCode,
  'download-code': downloadCode,
  'revoke-code': revokeCode,
  'renewal-code': renewalCode,
} as const;
