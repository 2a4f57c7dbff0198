import type { Texts } from './es.ts';

export const en: Texts = {
  steps: ['Data', 'Code', 'Password', 'Certificate'],
  stepsLabel: 'Steps',
  title: {
    OPEN: 'Your electronic signature is approved',
    IN_PROGRESS: 'We are issuing your certificate',
    ISSUED: 'Your certificate is ready',
    DOWNLOAD_ENDED: 'The download has ended',
    ENDED: 'This request has ended',
  },
  lead: {
    OPEN: 'Check your data and ask for the code to collect your certificate.',
    IN_PROGRESS:
      'This usually takes less than a minute. You may close this page and come back by the same link.',
    ISSUED: 'To download it in this browser, ask for a code.',
    DOWNLOAD_ENDED: 'We no longer keep the file. The certificate that you downloaded is still yours.',
    ENDED: 'No certificate will be issued by this link.',
  },
  facts: {
    applicant: 'Applicant',
    identification: 'ID number',
    kind: 'Certificate',
    company: 'Company',
    partner: 'Requested by',
    contact: 'Contact',
    until: 'Link valid until',
    serialNumber: 'Serial number',
    notAfter: 'Expires on',
    downloadUntil: 'Download until',
  },
  applicationType: { NATURAL_PERSON: 'Natural person', LEGAL_REPRESENTATIVE: 'Legal representative' },
  period: {
    ONE_WEEK: 'one week',
    ONE_MONTH: 'one month',
    ONE_YEAR: 'one year',
    TWO_YEARS: 'two years',
    THREE_YEARS: 'three years',
    FOUR_YEARS: 'four years',
    FIVE_YEARS: 'five years',
  },
  who: {
    haveCode: 'Enter the code that I received',
    goOn: 'Continue',
    wrong: 'Is something not right?',
  },
  code: {
    title: 'Enter the code',
    willGo: { sms: 'It will come by text message to', email: 'It will come by e-mail to' },
    wasSent: { sms: 'We sent it by text message to', email: 'We sent it by e-mail to' },
    validUntil: 'Valid until',
    triesLeft: { one: '# try left.', other: '# tries left.' },
    spentTitle: 'You need a new code',
    spent: 'For your safety the former code is no longer valid. Your request and your link are as they were.',
    send: 'Send code',
    sendAgain: 'Send another code',
    label: 'Six-digit code',
    submit: 'Continue',
  },
  password: {
    title: 'Choose your password',
    lead: 'We do not keep it: if you forget it, you will need another certificate.',
    label: 'Password of the certificate',
    hint: '8 to 64 characters, without accents or ñ. For example, a few unrelated words.',
    confirmation: 'Repeat the password',
    show: 'Show passwords',
    strength: ['Too short', 'Weak', 'Fair', 'Good', 'Very good'],
    strengthLabel: 'Strength',
    mismatch: 'The two passwords are not the same.',
    unfit:
      'Write the password without accents, ñ and other special characters: many signing programs do not open the file with them.',
    terms: 'Terms and conditions',
    termsRead: (version) => `Read the terms (version ${version})`,
    acceptTerms: 'I have read and accept the terms',
    submit: 'Issue my certificate',
  },
  progress: { working: 'Issuing…', refresh: 'Update now' },
  review: {
    title: 'We are checking your data',
    lead: 'A person checks your request before the certificate is issued. This may take some hours. You may close this page: we will write to you.',
    working: 'Being checked…',
  },
  stopped: {
    title: 'The issuance of your certificate has stopped',
    lead: (partner) =>
      `There was a problem, and your certificate has not been issued yet. ${partner} knows and has to solve it. You need not repeat anything now: once it is solved you will get an e-mail with the next step. If none comes within two days, write to the contact below.`,
  },
  file: {
    lead: 'In this browser you need no other code until',
    hint: 'It is a .p12 file. It opens with the password you chose.',
    submit: 'Download certificate',
    again: 'Download again',
    legacy: 'Download for older programs',
    legacyHint:
      'Does your program say that the password is wrong? Then it may not know today’s encryption. This file has the same key, certificate and password, but weaker encryption: import it and delete it.',
    takenTitle: 'You have your certificate',
    taken: 'It is among your downloads, by this name:',
    nameBegin: 'Electronic signature of',
    nameUntil: 'until',
    next: 'What to do now',
    keep: 'How to keep it',
    keepSteps: [
      'Copy the file to a safe place, such as a USB stick that only you have. Do not send it by e-mail or chat.',
      'Keep the password apart, best in a password manager. Whoever has both the file and the password can sign for you.',
    ],
    importInto: 'How to import it into',
    lost: 'If you lose it, or another person has it',
    lostText:
      'Revoke it as soon as you can: from then on signatures made with it are not valid. You can ask for another afterwards.',
    revoke: 'Revoke my certificate',
    programs: 'Which programs read it',
  },
  reports: {
    back: 'Back',
    'not-me': {
      title: 'I did not ask for this certificate',
      lead: 'If you confirm this, we close the request: nobody can collect a certificate in your name by this link. It cannot be undone. We will tell',
      submit: 'Confirm that it was not me',
    },
    'wrong-data': {
      title: 'The data are wrong',
      lead: 'If you confirm this, we ask for your name, e-mail or phone to be corrected. Then you will get another e-mail with a new link. We will ask',
      submit: 'Ask for the correction',
    },
  },
  reported: {
    DISPUTED: {
      title: 'Thank you for telling us',
      lead: (partner) =>
        `The request is closed, and no certificate will be issued by this link. ${partner} has been told. If you think that another person used your data, talk to that company.`,
    },
    DATA_WRONG: {
      title: 'We asked for your data to be corrected',
      lead: (partner) =>
        `${partner} has been asked. Once they are corrected you will get another e-mail with a new link. There is nothing more for you to do.`,
    },
  },
  dead: {
    RENEWABLE: {
      title: 'This link is no longer good',
      lead: 'A newer one took its place. Use that of our last e-mail, or ask for a new one: it goes to the address in your request.',
    },
    REPLACED: {
      title: 'This link is no longer good',
      lead: 'A newer one took its place. Use that of our last e-mail, or write to the company that requested your certificate.',
    },
    EXPIRED: {
      title: 'This link has expired',
      lead: 'The time to use it has ended. If you still need the certificate, write to the company that requested it.',
    },
    submit: 'Send me a new link',
    sent: {
      title: 'Check your e-mail',
      lead: 'If your request is still open, you will get a new link in a few minutes at the address in it. Look in your spam folder too.',
    },
  },
  next: 'You can ask for another at',
  nextIn: 'You can ask for another in',
  problem: 'Please check the following',
  back: 'Go to my request',
  wait: (time) => `Wait ${time} and try again.`,
  trace: 'If you ask for help, quote this number:',
  faults: {
    'acceptTerms TERMS_NOT_ACCEPTED': 'Accept the terms and conditions to go on.',
    'acceptTerms TERMS_OUTDATED': 'The terms have changed. Read and accept them again.',
    'encoding FIELD_INVALID': 'Choose one of the two files below.',
    'code FIELD_REQUIRED': 'Enter the code that we sent you.',
    'code FIELD_INVALID': 'The code has six digits.',
    'code OTP_INVALID': 'The code is not correct.',
    'code OTP_EXPIRED': 'That code is no longer valid. Ask for another.',
    'code OTP_ATTEMPTS_EXCEEDED': 'Too many codes were tried.',
    'password FIELD_REQUIRED': 'Choose a password.',
    'password FIELD_INVALID':
      'The password must have 8 to 64 characters, without accents, ñ and other special characters: many signing programs do not open the file with them.',
    'passwordConfirmation FIELD_REQUIRED': 'Repeat the password.',
    'passwordConfirmation FIELD_INVALID': 'The two passwords are not the same.',
    'send RATE_LIMITED': 'You cannot ask for another code yet.',
    'send OTP_ATTEMPTS_EXCEEDED': 'Too many codes were tried.',
    'link RATE_LIMITED': 'We sent you a link not long ago. Check your e-mail.',
    'link RESEND_LIMIT_EXCEEDED':
      'We have sent you several links. Use that of the last e-mail, or write to the company that requested your certificate.',
    'link REQUEST_STATE_NOT_ALLOWED':
      'This request is no longer open. Write to the company that requested your certificate.',
    'page OTP_EXPIRED': 'Too much time has passed. Ask for a code to go on.',
    'page REQUEST_STATE_NOT_ALLOWED': 'That step is no longer possible. This is what you can do now.',
  },
  weakPassword: {
    begin: 'That password is easy to guess:',
    personal:
      'it holds data of yours that others know. Leave out your name, ID number, phone, e-mail and company.',
    common: 'it is among the most used ones. Put together a few unrelated words.',
    name: 'it is a name. Add other, unrelated words.',
    word: 'it is little more than a known word. Put together a few unrelated ones.',
    date: 'it is a date or a year. Put together a few unrelated words.',
    keyboard: 'its keys lie side by side. Put together a few unrelated words.',
    repeat: 'it repeats itself. Put together a few unrelated words.',
    sequence: 'it is a series, like 1234 or Monday, Tuesday. Put together a few unrelated words.',
    short: 'it is too short. Make it longer with other words.',
  },
  errors: {
    CLAIM_LINK_INVALID: [
      'This link is not valid',
      'Check that you copied all of it. If we sent you more than one e-mail, use the link of the last one.',
    ],
    CLAIM_LINK_EXPIRED: [
      'This link has expired',
      'The time to use it has ended. Talk to the company that requested your certificate.',
    ],
    REQUEST_STATE_NOT_ALLOWED: [
      'This request has ended',
      'No certificate will be issued by this link. Talk to the company that requested your certificate.',
    ],
    NO_ACTIVE_TERMS: [
      'It is not ready yet',
      'Your request is approved, but the terms and conditions that you need to accept are still missing. There is nothing for you to do: your link stays good. Open it again later.',
    ],
    PAYLOAD_EXPIRED: ['The file is no longer available', 'The time for which we keep it has ended.'],
    RATE_LIMITED: ['Too many visits', 'We had too many visits from your connection.'],
    SERVICE_UNAVAILABLE: [
      'Come back in a moment',
      'The service is not available right now. Your data are safe and your link is still good.',
    ],
    FORBIDDEN: ['That could not be sent', 'The form came from another page. Open the link in our e-mail.'],
    ROUTE_NOT_FOUND: ['This page does not exist', 'Open the link in our e-mail.'],
    INTERNAL_ERROR: ['Something went wrong', 'It is not your fault. Try again in a few minutes.'],
    OTHER: ['That could not be done', 'Open the link in our e-mail again and try once more.'],
  },
};
