/** The container of notifications. It is loaded after the first screen, which shows none. */
import '@mantine/notifications/styles.layer.css';

export { Notifications, notifications } from '@mantine/notifications';
