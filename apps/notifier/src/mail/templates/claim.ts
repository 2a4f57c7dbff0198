import type { MailContent } from './html.ts';

/** What the claim mail needs to know. */
export type ClaimMail = {
  language: 'es' | 'en';
  applicantName: string;
  partnerName: string;
  /** Holds the link's token: the only secret of the mail. */
  url: string;
  /** Already written out in the applicant's language. */
  expiresAt: string | undefined;
};

type Texts = (mail: ClaimMail) => { subject: string; content: Omit<MailContent, 'language'> };

const spanish: Texts = ({ applicantName, partnerName, url, expiresAt }) => ({
  subject: 'Su certificado de firma electrónica está listo para reclamar',
  content: {
    preview: `${partnerName} solicitó un certificado de firma electrónica a su nombre.`,
    heading: 'Reclame su certificado de firma electrónica',
    paragraphs: [
      `Hola, ${applicantName}:`,
      `La solicitud que ${partnerName} registró a su nombre fue aprobada. Para recibir su certificado, abra la página de reclamo, confirme sus datos y elija una contraseña que solo usted conozca.`,
    ],
    button: { label: 'Reclamar mi certificado', url },
    linkHint: 'Si el botón no funciona, copie esta dirección en su navegador:',
    facts: [
      { label: 'Solicitado por', value: partnerName },
      ...(expiresAt === undefined ? [] : [{ label: 'Válido hasta', value: expiresAt }]),
    ],
    notes: [
      'Este enlace es personal: no lo reenvíe. Para reclamar se le pedirá además un código de seis dígitos.',
      'Nunca le pediremos su contraseña por correo ni por teléfono. Si no esperaba este mensaje, puede ignorarlo.',
    ],
  },
});

const english: Texts = ({ applicantName, partnerName, url, expiresAt }) => ({
  subject: 'Your electronic signature certificate is ready to be claimed',
  content: {
    preview: `${partnerName} requested an electronic signature certificate in your name.`,
    heading: 'Claim your electronic signature certificate',
    paragraphs: [
      `Hello ${applicantName},`,
      `The request that ${partnerName} registered in your name has been approved. To receive your certificate, open the claim page, confirm your details and choose a password that only you know.`,
    ],
    button: { label: 'Claim my certificate', url },
    linkHint: 'If the button does not work, copy this address into your browser:',
    facts: [
      { label: 'Requested by', value: partnerName },
      ...(expiresAt === undefined ? [] : [{ label: 'Valid until', value: expiresAt }]),
    ],
    notes: [
      'This link is personal: do not forward it. To claim you will also be asked for a six-digit code.',
      'We never ask for your password by e-mail or telephone. If you did not expect this message, you can ignore it.',
    ],
  },
});

const texts = { es: spanish, en: english } as const;

export function claimMail(mail: ClaimMail): { subject: string; content: MailContent } {
  const { subject, content } = texts[mail.language](mail);
  return { subject, content: { language: mail.language, ...content } };
}
