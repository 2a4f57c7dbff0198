/** The schema this service owns. It has no entities: its few queries are written out where they are used. */
export const schema = 'notifier';
