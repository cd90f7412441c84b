import java.util.Arrays;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import software.amazon.dynamodb.services.local.main.ServerRunner;
import software.amazon.dynamodb.services.local.monitoring.Telemetry;

/**
 * DynamoDB Local listens at every address of the machine and has no flag to change that. This program starts it at one
 * address: `java -cp DynamoDBLocal.jar at-one-address.java HOST -port N ...`, which Java compiles in memory.
 */
class AtOneAddress {
    public static void main(String[] args) throws Exception {
        var flags = Arrays.copyOfRange(args, 1, args.length);
        var proxy = ServerRunner.createServerFromCommandLineArgs(flags);
        Telemetry.configureTelemetry("", "", false);
        var field = proxy.getClass().getDeclaredField("server");
        field.setAccessible(true);
        for (var connector : ((Server) field.get(proxy)).getConnectors()) {
            ((ServerConnector) connector).setHost(args[0]);
        }
        proxy.start();
    }
}
