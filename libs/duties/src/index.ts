export * from './alarm';
export * from './horizon';
export * from './reminders/notifier';
export * from './reminders/recipients';
export * from './reminders/reminders';
export * from './settle';
export * from './tried';
export * from './waker';
