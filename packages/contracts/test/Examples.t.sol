// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IPrimeOrders} from "../IPrimeOrders.sol";
import {LiquidatorBot} from "../examples/LiquidatorBot.sol";
import {MarketMakerVault} from "../examples/MarketMakerVault.sol";
import {TwapExecutor} from "../examples/TwapExecutor.sol";
import {ForgeTest} from "./ForgeTest.sol";

/// @dev Calls back when it is paid.
contract Greedy {
    MarketMakerVault private immutable _vault;
    uint256 public calledBack;

    constructor(MarketMakerVault vault) payable {
        _vault = vault;
    }

    function join() external {
        _vault.join{value: 1 ether}();
    }

    function leave(uint256 shares) external {
        _vault.leave(shares);
    }

    receive() external payable {
        calledBack++;
        // Whatever is left of its shares, once more.
        _vault.leave(1);
    }
}

contract ExamplesTest is ForgeTest {
    address private constant OPERATOR = address(0xa1);
    address private constant MEMBER = address(0xb2);
    uint32 private constant MARKET = 1;
    MarketMakerVault private _vault;

    function setUp() public override {
        super.setUp();
        _vault = new MarketMakerVault(MARKET, OPERATOR, 10);
        vm.deal(MEMBER, 100 ether);
        answer(abi.encodeCall(IPrimeOrders.bestPrices, (MARKET)), abi.encode(90, 110, 100, 100));
        answer(abi.encodeCall(IPrimeOrders.market, (MARKET)), abi.encode("PRM/USD", 5, 1, uint32(1000), uint32(500), uint8(16), uint8(18)));
        setVault(0, 0, 0);
    }

    function setVault(int256 position, int256 collateral, uint256 withdrawable) private {
        answer(abi.encodeCall(IPrimeOrders.position, (address(_vault), MARKET)), abi.encode(position, uint256(0)));
        answer(
            abi.encodeCall(IPrimeOrders.account, (address(_vault))),
            abi.encode(collateral, collateral, uint256(0), uint256(0), withdrawable)
        );
    }

    function startRound() private {
        vm.prank(MEMBER);
        _vault.join{value: 10 ether}();
        vm.prank(OPERATOR);
        _vault.startRound();
    }

    function testVaultSharesFollowTheMoney() external {
        vm.prank(MEMBER);
        uint256 first = _vault.join{value: 10 ether}();
        // A gift makes everybody's shares dearer, and the next one does not pay for those before him.
        vm.deal(address(_vault), 20 ether);
        vm.deal(OPERATOR, 10 ether);
        vm.prank(OPERATOR);
        uint256 second = _vault.join{value: 10 ether}();
        require(second < first && second > first / 3, "half the shares");
        vm.prank(MEMBER);
        uint256 paid = _vault.leave(first);
        require(paid > 19.99 ether && paid <= 20 ether, "what is his");
    }

    function testVaultQuotesBothSidesOnTheGrid() external {
        startRound();
        vm.recordLogs();
        vm.prank(OPERATOR);
        _vault.quote(300, 2);
        (uint8[] memory kinds, bytes[] memory data) = writes();
        require(kinds.length == 3 && kinds[0] == 4 && kinds[1] == 1 && kinds[2] == 1, "cancel, bid, ask");
        (, bool isBuy, uint256 price, uint256 size, , uint8 flags, ) =
            abi.decode(data[1], (uint32, bool, uint256, uint256, uint8, uint8, uint128));
        require(isBuy && price == 95 && size == 2 && flags == 1, "bid");
        (, isBuy, price, , , , ) = abi.decode(data[2], (uint32, bool, uint256, uint256, uint8, uint8, uint128));
        require(!isBuy && price == 105, "ask");
    }

    function testVaultStopsTheSideThatIsFull() external {
        startRound();
        setVault(10, 10 ether, 0);
        vm.recordLogs();
        vm.prank(OPERATOR);
        _vault.quote(300, 2);
        (uint8[] memory kinds, bytes[] memory data) = writes();
        require(kinds.length == 2, "cancel and one quote");
        (, bool isBuy, , , , , ) = abi.decode(data[1], (uint32, bool, uint256, uint256, uint8, uint8, uint128));
        require(!isBuy, "only the ask");
    }

    function testVaultOnlyTheOperatorActs() external {
        startRound();
        bytes memory refused = abi.encodeWithSelector(MarketMakerVault.NotOperator.selector);
        vm.startPrank(MEMBER);
        vm.expectRevert(refused);
        _vault.quote(300, 2);
        vm.expectRevert(refused);
        _vault.unwind(1);
        vm.expectRevert(refused);
        _vault.endRound();
        vm.expectRevert(abi.encodeWithSelector(MarketMakerVault.Trading.selector));
        _vault.leave(1);
        vm.stopPrank();
    }

    function testVaultRoundEndsWhenTheMoneyIsBack() external {
        startRound();
        setVault(3, 10 ether, 9 ether);
        vm.prank(OPERATOR);
        vm.expectRevert(abi.encodeWithSelector(MarketMakerVault.PositionIsOpen.selector, int256(3)));
        _vault.endRound();
        setVault(0, 11 ether, 11 ether);
        vm.recordLogs();
        vm.prank(OPERATOR);
        _vault.endRound();
        (uint8[] memory kinds, ) = writes();
        require(kinds.length == 2 && kinds[1] == 8, "withdraws");
        setVault(0, 0, 0);
        vm.expectRevert(abi.encodeWithSelector(MarketMakerVault.MoneyIsOnItsWay.selector, uint256(0), uint256(11 ether)));
        _vault.settleRound();
        vm.deal(address(_vault), 11 ether);
        // More than a ten-thousandth is not here yet; less may be anybody's gift.
        setVault(0, 11 ether / 10_000 + 1, 0);
        vm.expectRevert(abi.encodeWithSelector(MarketMakerVault.MoneyIsOnItsWay.selector, uint256(11 ether), uint256(11 ether)));
        _vault.settleRound();
        setVault(0, 1, 0);
        _vault.settleRound();
        require(!_vault.isTrading(), "open again");
    }

    function testVaultReentrancyTakesNothing() external {
        vm.prank(MEMBER);
        _vault.join{value: 10 ether}();
        Greedy greedy = new Greedy{value: 1 ether}(_vault);
        greedy.join();
        uint256 shares = _vault.sharesOf(address(greedy));
        vm.expectRevert(abi.encodeWithSelector(MarketMakerVault.PaymentFailed.selector));
        greedy.leave(shares / 2);
        require(_vault.sharesOf(address(greedy)) == shares && address(_vault).balance == 11 ether, "nothing moved");
    }

    function testLiquidatorPaysOnceAndOnlyForHealth() external {
        address[] memory keepers = new address[](1);
        keepers[0] = MEMBER;
        LiquidatorBot bot = new LiquidatorBot{value: 3 ether}(1 ether, keepers);
        address sick = address(0xdead);
        bytes memory asked = abi.encodeCall(IPrimeOrders.isLiquidatable, (sick));
        answer(asked, abi.encode(true));
        address[] memory accounts = new address[](1);
        accounts[0] = sick;
        vm.roll(100);
        vm.expectRevert(abi.encodeWithSelector(LiquidatorBot.NotKeeper.selector));
        bot.poke(accounts);
        vm.startPrank(MEMBER);
        require(bot.poke(accounts) == 1 && bot.poke(accounts) == 0, "asks once");
        vm.stopPrank();
        vm.expectRevert(abi.encodeWithSelector(LiquidatorBot.TooEarly.selector, 100));
        bot.claim(sick);
        vm.roll(102);
        vm.expectRevert(abi.encodeWithSelector(LiquidatorBot.StillLiquidatable.selector, sick));
        bot.claim(sick);
        answer(asked, abi.encode(false));
        uint256 before = MEMBER.balance;
        bot.claim(sick);
        require(MEMBER.balance == before + 1 ether, "the keeper, not who claims");
        vm.expectRevert(abi.encodeWithSelector(LiquidatorBot.NothingToClaim.selector, sick));
        bot.claim(sick);
    }

    function testTwapNeverTradesMoreThanItsSize() external {
        vm.roll(10);
        vm.recordLogs();
        TwapExecutor twap = new TwapExecutor{value: 1 ether}(MARKET, true, 25, 10, 120, 3);
        twap.execute();
        vm.expectRevert(abi.encodeWithSelector(TwapExecutor.TooEarly.selector, 13));
        twap.execute();
        // The first slice fills a part, the second one all, the third one what is left.
        uint256[3] memory filled = [uint256(4), 10, 10];
        for (uint128 slice = 1; slice <= 3; slice++) {
            answer(
                abi.encodeCall(IPrimeOrders.orderByClientId, (address(twap), slice)),
                abi.encode(uint64(slice), uint8(3), filled[slice - 1])
            );
            vm.roll(10 + 3 * slice);
            twap.execute();
        }
        require(twap.remaining() == 1, "24 of 25");
        (uint8[] memory kinds, bytes[] memory data) = writes();
        require(kinds.length == 5 && kinds[0] == 7, "a deposit and four slices");
        (, , , uint256 last, , , ) = abi.decode(data[4], (uint32, bool, uint256, uint256, uint8, uint8, uint128));
        require(last == 1, "the last slice is the rest");
    }

    function testTwapOnlyTheOwnerStopsAndWithdraws() external {
        TwapExecutor twap = new TwapExecutor(MARKET, true, 25, 10, 120, 3);
        vm.startPrank(MEMBER);
        bytes memory refused = abi.encodeWithSelector(TwapExecutor.NotOwner.selector);
        vm.expectRevert(refused);
        twap.stop();
        vm.expectRevert(refused);
        twap.withdraw(1);
        vm.expectRevert(refused);
        twap.sweep();
        vm.stopPrank();
    }
}
