import { describeEventStore } from '../contract';
import { sqliteUnderTest } from './sqlite-under-test.testing';

describeEventStore('SQLite', sqliteUnderTest);
