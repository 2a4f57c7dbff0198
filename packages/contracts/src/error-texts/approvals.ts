import { defineTexts } from './define-texts.ts';

/** Refusals of changes that take two administrators. */
export const approvalTexts = defineTexts({
  'approval.gone': {
    en: 'No such change waits: it was decided, or its time is over',
    es: 'No hay tal cambio pendiente: ya se decidió o su plazo terminó',
  },
  'approval.changedSince': {
    en: 'What it changes is not as it was when the change was proposed: propose it anew',
    es: 'Lo que modifica ya no está como cuando se propuso el cambio: propóngalo de nuevo',
  },
  'approval.own': {
    en: 'You have proposed this change yourself: another administrator has to approve it',
    es: 'Usted mismo propuso este cambio: otro administrador debe aprobarlo',
  },
  'approval.tampered': {
    en: 'This is not the change that was proposed: reject it and propose it anew',
    es: 'Este no es el cambio que se propuso: rechácelo y propóngalo de nuevo',
  },
  'approval.proposedAnew': {
    en: 'The change was proposed anew just now: look again',
    es: 'El cambio acaba de proponerse de nuevo: revíselo otra vez',
  },
  'approval.proposerEnded': {
    en: '{email}, who proposed it, is no longer an enabled administrator',
    es: '{email}, que lo propuso, ya no es un administrador habilitado',
  },
  'approval.notIndependent': {
    en: "Within seven days one of you and {email} has made the other an administrator or given new factors, or the organisation's OpenID provider has made one of you: a third administrator has to approve it",
    es: 'En los últimos siete días, entre usted y {email}, uno nombró administrador al otro o le dio factores nuevos, o el proveedor OpenID de la organización nombró a uno de los dos: debe aprobarlo un tercer administrador',
  },
  'approval.secondNeeded': {
    en: 'A second administrator must approve this change, and none is enabled: name another one first',
    es: 'Un segundo administrador debe aprobar este cambio y no hay ninguno habilitado: nombre a otro primero',
  },
  'approval.notAdministrator': {
    en: 'Your account is not an enabled administrator',
    es: 'Su cuenta no es de un administrador habilitado',
  },
  'approval.tooManyOpen': {
    en: 'Too many changes wait for an administrator: decide on them first',
    es: 'Demasiados cambios esperan a un administrador: decida primero sobre ellos',
  },
  'approval.passkeyNotConfirmed': {
    en: 'The passkey has not confirmed this change: ask for approvals.passkeyOptions again',
    es: 'La llave de acceso no confirmó este cambio: solicite de nuevo approvals.passkeyOptions',
  },
});
