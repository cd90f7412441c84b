# Books once and reads a feed: API=… KEY=… WEBHOOK=… SECRET=whsec_… BOOKING='{"serviceId": …}' ONCE=… ruby integrate.rb
require "json"
require "net/http"
require "openssl"

API, KEY, WEBHOOK, SECRET, ONCE = %w[API KEY WEBHOOK SECRET ONCE].map { |name| ENV.fetch(name) }

# Waits as `Retry-After` says, and sends again what was not answered.
def call(method, path, body = nil, headers = {})
  uri = URI(API + path)
  5.times do |attempt|
    wait = 2**attempt
    begin
      request = Net::HTTP.const_get(method).new(uri, { "X-API-Key" => KEY, "Content-Type" => "application/json", **headers })
      request.body = JSON.generate(body) if body
      answer = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https", read_timeout: 20) { |http| http.request(request) }
      return JSON.parse(answer.body) if answer.is_a?(Net::HTTPSuccess)
      abort(answer.body) if answer.code != "429" && answer.code < "500" && !answer["Retry-After"]
      wait = (answer["Retry-After"] || wait).to_f
    rescue IOError, SystemCallError, SocketError, Timeout::Error, OpenSSL::SSL::SSLError
      # Sent again below.
    rescue JSON::ParserError
      abort("The response is not JSON. Is API the base URL of the API?")
    end
    sleep(wait)
  end
  abort("There is no answer.")
end

# The signature covers the id, the time and the text as it came.
def genuine?(headers, body)
  signed = "#{headers["webhook-id"]}.#{headers["webhook-timestamp"]}.#{body}"
  key = SECRET.delete_prefix("whsec_").unpack1("m")
  expected = "v1," + [OpenSSL::HMAC.digest("SHA256", key, signed)].pack("m0")
  is_signed = headers["webhook-signature"].split(" ").any? { |one| OpenSSL.secure_compare(expected, one) }
  is_signed && (Time.now.to_i - headers["webhook-timestamp"].to_i).abs < 300
end

booking = call("Post", "/bookings", JSON.parse(ENV.fetch("BOOKING")), { "Idempotency-Key" => ONCE })
puts "booked #{booking["id"]}"
after = ENV.fetch("AFTER", 0)
loop do
  page = call("Get", "/webhooks/#{WEBHOOK}/feed?after=#{after}")
  page["data"].each do |message|
    unless genuine?(message["headers"], message["body"])
      abort("Message #{message["number"]} has a wrong signature. Correct SECRET, and continue with AFTER=#{after}.")
    end
    after = message["number"]
    puts "#{JSON.parse(message["body"])["event"]} #{after}"
  end
  after = page["next"]
  break unless page["hasMore"]
end
puts "next #{after}"
