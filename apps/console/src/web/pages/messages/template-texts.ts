import { createBilingual, useTexts } from '../../texts/texts.ts';

const texts = createBilingual({
  en: {
    claim: 'Link to claim',
    'claim-reminder': 'Reminder to claim',
    'certificate-ready': 'The certificate is ready',
    'claim-code': 'Code to claim',
    'download-code': 'Code to download',
    'revoke-code': 'Code to revoke',
    'renewal-code': 'Code to renew',
    'end-reminder': 'Reminder of the end',
    'renewal-reminder': 'Reminder of the end, with a link to renew',
    'operator-invitation': 'Invitation of an operator',
    'operator-reset': 'New password of an operator',
    'operator-wrong-codes': 'Wrong one-time codes of an operator',
    'operator-app': 'New authenticator app of an operator',
    'operator-passkey': 'New passkey of an operator',
    'break-glass': 'Break-glass was used',
  },
  es: {
    claim: 'Enlace para retirar',
    'claim-reminder': 'Recordatorio para retirar',
    'certificate-ready': 'El certificado está listo',
    'claim-code': 'Código para retirar',
    'download-code': 'Código para descargar',
    'revoke-code': 'Código para revocar',
    'renewal-code': 'Código para renovar',
    'end-reminder': 'Recordatorio del vencimiento',
    'renewal-reminder': 'Recordatorio del vencimiento, con enlace para renovar',
    'operator-invitation': 'Invitación de un operador',
    'operator-reset': 'Contraseña nueva de un operador',
    'operator-wrong-codes': 'Códigos de un solo uso incorrectos de un operador',
    'operator-app': 'Nueva aplicación autenticadora de un operador',
    'operator-passkey': 'Nueva llave de acceso de un operador',
    'break-glass': 'Se usó el acceso de emergencia',
  },
});

/** Returns the subject of a message by its template name; an unknown name is shown unchanged. */
export function useTemplateNames(): (template: string) => string {
  const t = useTexts(texts);
  return (template) => (Object.hasOwn(t, template) ? t[template as keyof typeof t] : template);
}
