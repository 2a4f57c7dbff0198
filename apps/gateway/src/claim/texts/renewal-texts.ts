import type { RenewalContact } from '@rubrica/contracts/services/schemas/claims';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import type { Language } from '../types.ts';

interface TitleAndLead {
  readonly title: string;
  readonly lead: string;
}

/** Refusals after which a subscriber cannot renew alone. */
export type PartnerRequiredCode = Extract<
  ErrorCode,
  'QUOTA_EXCEEDED' | 'AUTHORIZATION_VIDEO_REQUIRED' | 'APPOINTMENT_EXPIRED' | 'NO_ACTIVE_TERMS'
>;

const es = {
  /** Replacements for the texts of a claim. */
  own: {
    back: 'Volver a la renovación',
    title: { OPEN: 'Renueve su firma electrónica', ENDED: 'Esta renovación terminó' },
    lead: {
      OPEN: 'Revise sus datos y pida el código para obtener un certificado nuevo.',
      IN_PROGRESS:
        'Suele tardar menos de un minuto, o más si hay que revisar sus datos. Puede cerrar esta página: le avisaremos por correo.',
    },
    facts: { applicant: 'A nombre de' },
    code: { spent: 'Por su seguridad, el código anterior ya no vale. Su enlace sigue igual.' },
    password: { submit: 'Renovar mi certificado' },
  },
  wrong: 'Si cambió de teléfono o sus datos no son correctos, no siga: escriba al contacto de arriba.',
  lost: 'Si alguien más puede usar su certificado actual,',
  revoke: 'revóquelo',
  dead: {
    RENEWED: {
      title: 'Este certificado ya se renovó',
      lead: 'Este enlace ya no sirve. Si no encuentra el correo con su certificado nuevo, escriba a la empresa que lo solicitó.',
    },
    REVOKED: {
      title: 'Este certificado no se puede renovar',
      lead: 'Está revocado o suspendido. Si necesita otro, escriba a la empresa que lo solicitó.',
    },
    EXPIRED: {
      title: 'Este enlace ha caducado',
      lead: 'Terminó el plazo para renovar. Si todavía necesita un certificado, escriba a la empresa que lo solicitó.',
    },
    ASK: {
      title: 'No puede renovarlo aquí',
      lead: 'La empresa que solicitó su certificado debe renovarlo esta vez. Escríbale; mientras tanto nada cambia.',
    },
  } satisfies Record<RenewalContact['reason'], TitleAndLead>,
  ask: {
    QUOTA_EXCEEDED: {
      title: 'Por ahora no puede renovarlo aquí',
      lead: 'La empresa que solicitó su certificado debe renovarlo esta vez. Escríbale; mientras tanto nada cambia.',
    },
    AUTHORIZATION_VIDEO_REQUIRED: {
      title: 'Hace falta un video',
      lead: 'Desde los 65 años se pide un video en el que usted autoriza el certificado. La empresa que lo solicitó le dirá cómo enviarlo.',
    },
    APPOINTMENT_EXPIRED: {
      title: 'Hace falta su nombramiento',
      lead: 'El nombramiento con el que se emitió su certificado ya venció. Envíe el nuevo a la empresa que lo solicitó, para que lo renueve.',
    },
    NO_ACTIVE_TERMS: {
      title: 'Todavía no puede renovarlo aquí',
      lead: 'Faltan los términos y condiciones que debe aceptar. Vuelva a abrir este enlace más tarde, o escriba a la empresa que solicitó su certificado.',
    },
  } satisfies Record<PartnerRequiredCode, TitleAndLead>,
};

export type RenewalTexts = typeof es;

const en: RenewalTexts = {
  own: {
    back: 'Back to the renewal',
    title: { OPEN: 'Renew your electronic signature', ENDED: 'This renewal has ended' },
    lead: {
      OPEN: 'Check your data and ask for the code to get a new certificate.',
      IN_PROGRESS:
        'This usually takes less than a minute, or longer if your data have to be checked. You may close this page: we will write to you.',
    },
    facts: { applicant: 'In the name of' },
    code: { spent: 'For your safety the former code is no longer valid. Your link is as it was.' },
    password: { submit: 'Renew my certificate' },
  },
  wrong: 'If your phone has changed or your data are wrong, stop here: write to the contact above.',
  lost: 'If another person can use your present certificate,',
  revoke: 'revoke it',
  dead: {
    RENEWED: {
      title: 'This certificate has been renewed',
      lead: 'This link is no longer good. If you do not find the e-mail with your new certificate, write to the company that requested it.',
    },
    REVOKED: {
      title: 'This certificate cannot be renewed',
      lead: 'It is revoked or on hold. If you need another, write to the company that requested it.',
    },
    EXPIRED: {
      title: 'This link has expired',
      lead: 'The time to renew has ended. If you still need a certificate, write to the company that requested it.',
    },
    ASK: {
      title: 'You cannot renew it here',
      lead: 'This time the company that requested your certificate has to renew it. Write to them; until then nothing changes.',
    },
  },
  ask: {
    QUOTA_EXCEEDED: {
      title: 'You cannot renew it here for now',
      lead: 'This time the company that requested your certificate has to renew it. Write to them; until then nothing changes.',
    },
    AUTHORIZATION_VIDEO_REQUIRED: {
      title: 'A video is needed',
      lead: 'From the age of 65 on a video is needed in which you authorise the certificate. The company that requested it will tell you how to send it.',
    },
    APPOINTMENT_EXPIRED: {
      title: 'Your appointment is needed',
      lead: 'The appointment that your certificate was issued with has expired. Send the new one to the company that requested it, for them to renew it.',
    },
    NO_ACTIVE_TERMS: {
      title: 'You cannot renew it here yet',
      lead: 'The terms and conditions that you need to accept are missing. Open this link again later, or write to the company that requested your certificate.',
    },
  },
};

export const renewalTexts: Readonly<Record<Language, RenewalTexts>> = { es, en };
